/**
 * Claim, publish, settle: what is committed in the outbox reaches its destination.
 *
 * <p>In reading order: {@link io.waybill.relay.Relay} is the cycle, {@link io.waybill.relay.route.RelayOptions} what can be set,
 * {@link io.waybill.relay.route.Routes} where things go; {@code ShardLeases} decides which shards this relay owns, {@code Lanes} what
 * to claim next, {@code Circuits} which destinations to leave alone, {@code Sending} turns answers into settlements.
 *
 * <p>Next stage: {@code io.waybill.inbox}, at the other end of the transport.
 */
@NullMarked
package io.waybill.relay;

import org.jspecify.annotations.NullMarked;
