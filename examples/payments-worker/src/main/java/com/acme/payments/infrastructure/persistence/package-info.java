/** The repositories in plain JDBC, in whichever transaction is open. */
@NullMarked
package com.acme.payments.infrastructure.persistence;

import org.jspecify.annotations.NullMarked;
