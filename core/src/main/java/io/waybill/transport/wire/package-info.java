/**
 * Wire formats: how a message looks on a broker.
 *
 * <p>{@link io.waybill.transport.wire.WireFormat} writes an envelope as a {@link io.waybill.transport.wire.WireMessage}:
 * plain headers or CloudEvents. {@code io.waybill.transport.WireReader} reads it back.
 */
@NullMarked
package io.waybill.transport.wire;

import org.jspecify.annotations.NullMarked;
