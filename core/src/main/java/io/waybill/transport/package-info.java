/**
 * What a broker must offer.
 *
 * <p>In reading order: {@link io.waybill.transport.Publisher} takes a batch, {@link io.waybill.transport.Outcome} says what
 * became of each message, {@link io.waybill.transport.LocalTransport} hands messages to receivers in the same process.
 */
@NullMarked
package io.waybill.transport;

import org.jspecify.annotations.NullMarked;
