/**
 * Commands: an intention with exactly one handler, and its reply.
 *
 * <p>{@link io.waybill.command.DomainCommand} marks a command; {@link io.waybill.command.CommandBus} accepts it; {@link
 * io.waybill.command.PendingReply} waits for its {@link io.waybill.command.CommandReply}; {@link
 * io.waybill.command.CommandNaming} names queues.
 */
@NullMarked
package io.waybill.command;

import org.jspecify.annotations.NullMarked;
