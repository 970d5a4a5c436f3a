/** A Micronaut application on real databases. */
@NullMarked
package io.waybill.micronaut;

import org.jspecify.annotations.NullMarked;
