/**
 * Waybill in plain Java, without a framework: {@link io.waybill.plain.Waybill} puts a store, relays and subscribers together.
 */
@NullMarked
package io.waybill.plain;

import org.jspecify.annotations.NullMarked;
