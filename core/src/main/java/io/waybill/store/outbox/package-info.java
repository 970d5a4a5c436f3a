/**
 * SPI of the outbox table: append, claim, settle, and the leases of shards.
 *
 * <p>{@link io.waybill.store.outbox.OutboxStore} keeps messages and hands them out by shard; {@link
 * io.waybill.store.outbox.LeaseStore} decides which relay owns a shard; {@link io.waybill.store.outbox.Settlements} is
 * what became of a claimed batch.
 */
@NullMarked
package io.waybill.store.outbox;

import org.jspecify.annotations.NullMarked;
