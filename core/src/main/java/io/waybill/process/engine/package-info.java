/**
 * Pure decision function: state and input in, decision out; no I/O, no clock.
 *
 * <p>{@link io.waybill.process.engine.ProcessEngine} decides; {@code StepAdvancer} and {@code StepStarter} go forward,
 * {@code Compensator} goes back, {@code BranchJoiner} joins branches, {@code Replies}, {@code Timers}, {@code
 * SignalReceiver} and {@code OperatorRequests} handle one kind of input each.
 */
@NullMarked
package io.waybill.process.engine;

import org.jspecify.annotations.NullMarked;
