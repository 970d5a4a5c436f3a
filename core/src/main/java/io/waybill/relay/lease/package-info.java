/**
 * Shard leases: which part of the outbox this relay owns, and until when.
 *
 * <p>{@link io.waybill.relay.lease.ShardLeases} acquires, renews and gives back, {@code TakeableShards} says what it may
 * take; {@link io.waybill.relay.lease.HeldShards} is what a batch may rely on.
 */
@NullMarked
package io.waybill.relay.lease;

import org.jspecify.annotations.NullMarked;
