/** The application that the tests run: a shop with a ledger. */
@NullMarked
package io.waybill.micronaut.shop;

import org.jspecify.annotations.NullMarked;
