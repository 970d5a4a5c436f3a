/** A command handler in a Micronaut application, and the message it leaves. */
package com.acme.micronaut;
