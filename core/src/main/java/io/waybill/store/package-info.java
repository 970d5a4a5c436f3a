/**
 * What a database must offer.
 *
 * <p>In reading order: {@link io.waybill.store.Transactions} and {@link io.waybill.store.Transaction} join the caller's
 * transaction; {@link io.waybill.store.outbox.OutboxStore} keeps messages and hands them out by shard; {@link
 * io.waybill.store.outbox.LeaseStore} decides which relay owns a shard; {@link io.waybill.store.inbox.InboxStore} remembers what was
 * handled; {@link io.waybill.store.admin.OutboxAdmin} and {@link io.waybill.store.admin.CleanupStore} serve those who operate it.
 *
 * <p>Every implementation passes the contracts of {@code waybill-testkit}.
 */
@NullMarked
package io.waybill.store;

import org.jspecify.annotations.NullMarked;
