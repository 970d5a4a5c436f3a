/**
 * Append: a message is written in the transaction that writes the data.
 *
 * <p>{@link io.waybill.outbox.Outbox} is the whole face of it. Next stage: {@code io.waybill.relay}.
 */
@NullMarked
package io.waybill.outbox;

import org.jspecify.annotations.NullMarked;
