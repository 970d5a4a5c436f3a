/**
 * Transactions, the connection between the application's data and Waybill's tables.
 *
 * <p>{@link io.waybill.store.Transactions} joins or opens a {@link io.waybill.store.Transaction}; {@link
 * io.waybill.store.AfterCommit} runs work once it is committed; {@link io.waybill.store.Faults} says which failures are
 * worth another try; {@link io.waybill.store.AttemptLog} is the
 * history of one message. What a database must offer besides is in {@code store.outbox}, {@code store.inbox}, {@code
 * store.failed} and {@code store.admin}. Every implementation passes the contracts of {@code waybill-testkit}.
 */
@NullMarked
package io.waybill.store;

import org.jspecify.annotations.NullMarked;
