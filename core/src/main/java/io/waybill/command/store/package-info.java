/**
 * SPI of the command table.
 *
 * <p>{@link io.waybill.command.store.CommandStore} keeps a {@link io.waybill.command.store.CommandRecord} with its {@link
 * io.waybill.command.store.CommandStatus} until its retention has passed; applications read them by {@link
 * io.waybill.command.store.CommandRepository}.
 */
@NullMarked
package io.waybill.command.store;

import org.jspecify.annotations.NullMarked;
