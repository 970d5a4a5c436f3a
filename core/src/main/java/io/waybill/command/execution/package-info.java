/**
 * Runtime of commands: accept, execute, reply.
 *
 * <p>{@link io.waybill.command.execution.CommandRuntime} puts it together; {@code CommandExecution} runs the handler once;
 * {@code ReplyWaiters} wakes callers; {@link io.waybill.command.execution.CommandReceiver} takes commands from a broker.
 */
@NullMarked
package io.waybill.command.execution;

import org.jspecify.annotations.NullMarked;
