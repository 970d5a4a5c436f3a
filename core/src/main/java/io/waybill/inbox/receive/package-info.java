/**
 * Receives batches and decides what becomes of messages whose handler fails.
 *
 * <p>{@link io.waybill.inbox.receive.BatchReceiver} handles a broker's batch in one transaction, {@link
 * io.waybill.inbox.receive.StoreFirstReceiver} stores it first; {@link io.waybill.inbox.receive.FailureHandling} takes
 * what failed: {@link io.waybill.inbox.receive.RetryLater} or {@link io.waybill.inbox.receive.FailAtOnce}. {@link
 * io.waybill.inbox.receive.Subscribers} connects them to brokers.
 */
@NullMarked
package io.waybill.inbox.receive;

import org.jspecify.annotations.NullMarked;
