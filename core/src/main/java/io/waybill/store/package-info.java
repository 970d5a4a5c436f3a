/**
 * What a database must offer.
 *
 * <p>In reading order: {@link io.waybill.store.Transactions} and {@link io.waybill.store.Transaction} join the caller's
 * transaction; {@link io.waybill.store.OutboxStore} keeps messages and hands them out by shard; {@link
 * io.waybill.store.LeaseStore} decides which relay owns a shard; {@link io.waybill.store.InboxStore} remembers what was
 * handled; {@link io.waybill.store.OutboxAdmin} and {@link io.waybill.store.CleanupStore} serve those who operate it.
 *
 * <p>Every implementation passes the contracts of {@code waybill-testkit}.
 */
@NullMarked
package io.waybill.store;

import org.jspecify.annotations.NullMarked;
