/** What people and other systems ask over HTTP. */
@NullMarked
package com.acme.payments.infrastructure.http;

import org.jspecify.annotations.NullMarked;
