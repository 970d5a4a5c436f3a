/**
 * SPI for operators: list, select, replay, discard and clean up stored messages.
 *
 * <p>{@link io.waybill.store.admin.OutboxAdmin} reads and changes the outbox; {@link io.waybill.store.admin.CleanupStore}
 * removes what its retention has passed, optionally into an {@link io.waybill.store.admin.Archive}.
 */
@NullMarked
package io.waybill.store.admin;

import org.jspecify.annotations.NullMarked;
