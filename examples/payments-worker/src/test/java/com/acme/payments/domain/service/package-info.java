/** The services on repositories in memory: rules of the business, without a database. */
@NullMarked
package com.acme.payments.domain.service;

import org.jspecify.annotations.NullMarked;
