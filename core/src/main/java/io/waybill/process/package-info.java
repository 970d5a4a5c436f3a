/**
 * Processes: steps that are commands, in an order, with compensation when one of them fails.
 *
 * <p>In reading order: {@link io.waybill.process.definition.ProcessConfiguration} defines a process and {@link
 * io.waybill.process.graph.ProcessGraph} is what comes of it; {@code ProcessEngine} decides, from a {@link
 * io.waybill.process.state.ProcessState} and what has happened, which {@link io.waybill.process.state.ProcessEvent}s follow;
 * {@link io.waybill.process.ProcessManager} is the face of it all.
 */
@NullMarked
package io.waybill.process;

import org.jspecify.annotations.NullMarked;
