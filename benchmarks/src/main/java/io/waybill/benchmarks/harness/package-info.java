/**
 * Measures variants in turn and prints ratios.
 *
 * <p>A {@link io.waybill.benchmarks.harness.Benchmark} says what is compared; {@link io.waybill.benchmarks.harness.Rounds}
 * measures; {@link io.waybill.benchmarks.harness.Line} and {@link io.waybill.benchmarks.harness.Report} are printed.
 */
@NullMarked
package io.waybill.benchmarks.harness;

import org.jspecify.annotations.NullMarked;
