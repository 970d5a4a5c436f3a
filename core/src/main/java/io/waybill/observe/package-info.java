/**
 * Listeners, to count or log what happens: {@link io.waybill.observe.OutboxListener} hears what was appended, {@link
 * io.waybill.observe.RelayListener} what became of it.
 */
@NullMarked
package io.waybill.observe;

import org.jspecify.annotations.NullMarked;
