/**
 * Receive and handle once: the note that a message was handled commits together with what the handler did.
 *
 * <p>In reading order: {@link io.waybill.inbox.Handler} and {@link io.waybill.inbox.Received} are what an application writes;
 * {@link io.waybill.inbox.receive.BatchReceiver} takes batches from a broker and {@link io.waybill.inbox.Inbox} single messages;
 * {@link io.waybill.inbox.receive.FailureHandling} takes what could not be handled, and {@link io.waybill.inbox.Retry} brings it back.
 */
@NullMarked
package io.waybill.inbox;

import org.jspecify.annotations.NullMarked;
