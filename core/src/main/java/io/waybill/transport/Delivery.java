package io.waybill.transport;

import io.waybill.transport.wire.WireMessage;

/**
 * A message as a broker delivered it.
 *
 * @param source the topic, queue or subject it came from
 * @param key the key the broker keeps with it, whose messages it delivers in order; empty when there is none
 * @param position where it is in its source, the same whenever it is delivered again ({@code orders-3@1742}); empty where a broker
 *     has no such thing
 */
public record Delivery(String source, String key, String position, WireMessage message) {}
