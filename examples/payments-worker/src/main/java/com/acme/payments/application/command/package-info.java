/** What the worker can be told to do. */
@NullMarked
package com.acme.payments.application.command;

import org.jspecify.annotations.NullMarked;
