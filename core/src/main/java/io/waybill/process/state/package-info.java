/**
 * State of a process: what has happened, and what follows from it.
 *
 * <p>{@link io.waybill.process.state.ProcessState} applies a {@link io.waybill.process.state.ProcessEvent}; {@link
 * io.waybill.process.state.StepExecution} is one execution of a step, {@link io.waybill.process.state.ProcessInstance} the
 * summary for users.
 */
@NullMarked
package io.waybill.process.state;

import org.jspecify.annotations.NullMarked;
