/**
 * {@code inbox}: inspect and clean up the inbox.
 *
 * <p>{@link io.waybill.server.inbox.InboxCommand} is the group.
 */
@NullMarked
package io.waybill.server.inbox;

import org.jspecify.annotations.NullMarked;
