/**
 * What a broker must offer, and what its messages look like.
 *
 * <p>In reading order: {@link io.waybill.transport.Transport} is where messages can be sent, opened by
 * {@link io.waybill.transport.Transports} from a {@link io.waybill.transport.TransportUrl};
 * {@link io.waybill.transport.Publisher} takes a batch and {@link io.waybill.transport.Outcome} says what became of each
 * message; {@link io.waybill.transport.Broker} can be received from, each {@link io.waybill.transport.Delivery} by a
 * {@link io.waybill.transport.Receiver}; {@link io.waybill.transport.wire.WireFormat} writes and
 * {@link io.waybill.transport.WireReader} reads. {@link io.waybill.transport.NdjsonTransport} writes lines.
 */
@NullMarked
package io.waybill.transport;

import org.jspecify.annotations.NullMarked;
