/** Accounts, limits, contracts and payments with their rules; no framework, no SQL. */
@NullMarked
package com.acme.payments.domain.model;

import org.jspecify.annotations.NullMarked;
