/**
 * Claim, publish, settle: what is committed in the outbox reaches its destination.
 *
 * <p>{@link io.waybill.relay.Relay} is the cycle and {@link io.waybill.relay.RelayLoop} its thread; {@code ClaimPlanner}
 * and {@code LaneScheduler} choose what is claimed next, {@code Prefetch} reads it ahead; {@code Settler} writes what became of
 * it; {@code UncleanShards} treats shards of a relay that did not give them back, with the help of {@code NotedAttempts}.
 */
@NullMarked
package io.waybill.relay;

import org.jspecify.annotations.NullMarked;
