/** What the worker tells others. */
@NullMarked
package com.acme.payments.application.event;

import org.jspecify.annotations.NullMarked;
