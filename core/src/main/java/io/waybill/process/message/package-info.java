/**
 * What goes into and comes out of a decision.
 *
 * <p>{@link io.waybill.process.message.ProcessInput} is what happened, {@link io.waybill.process.message.ProcessRequest}
 * what an operator wants; a {@link io.waybill.process.message.Decision} has the new state, events, {@link
 * io.waybill.process.message.StepCommand}s and {@link io.waybill.process.message.ProcessMessage}s to other processes.
 */
@NullMarked
package io.waybill.process.message;

import org.jspecify.annotations.NullMarked;
