/**
 * {@code outbox}: list, show, follow, replay, edit, redirect, unblock, discard and clean up messages.
 *
 * <p>{@link io.waybill.server.outbox.OutboxCommand} is the group.
 */
@NullMarked
package io.waybill.server.outbox;

import org.jspecify.annotations.NullMarked;
