/** Where the domain keeps its aggregates. */
@NullMarked
package com.acme.payments.domain.repository;

import org.jspecify.annotations.NullMarked;
