/** What may be asked about accounts and their limits. */
@NullMarked
package com.acme.payments.application.command.account;

import org.jspecify.annotations.NullMarked;
