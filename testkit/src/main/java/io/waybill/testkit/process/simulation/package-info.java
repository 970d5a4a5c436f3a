/**
 * Simulates processes with failures, operators and lost answers, and checks the rules that must hold.
 *
 * <p>{@link io.waybill.testkit.process.simulation.ProcessSimulator}.
 */
@NullMarked
package io.waybill.testkit.process.simulation;

import org.jspecify.annotations.NullMarked;
