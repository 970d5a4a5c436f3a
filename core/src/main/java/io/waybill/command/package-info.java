/**
 * Commands: an intention with exactly one handler, and the answer it gets.
 *
 * <p>{@link io.waybill.command.DomainCommand} marks the records that are commands, {@link io.waybill.command.CommandTypes} names
 * them, {@link io.waybill.command.CommandReply} is what comes back.
 */
@NullMarked
package io.waybill.command;

import org.jspecify.annotations.NullMarked;
