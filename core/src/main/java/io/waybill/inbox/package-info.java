/**
 * Receive and handle once: the note that a message was handled commits together with what the handler did.
 *
 * <p>In reading order: {@link io.waybill.inbox.Inbox}, {@link io.waybill.inbox.Handler}, {@link io.waybill.inbox.Received}.
 */
@NullMarked
package io.waybill.inbox;

import org.jspecify.annotations.NullMarked;
