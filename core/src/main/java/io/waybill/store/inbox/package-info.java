/**
 * SPI of the inbox table, which remembers what was handled.
 *
 * <p>{@link io.waybill.store.inbox.InboxStore} records a message for a handler in the handler's transaction.
 */
@NullMarked
package io.waybill.store.inbox;

import org.jspecify.annotations.NullMarked;
