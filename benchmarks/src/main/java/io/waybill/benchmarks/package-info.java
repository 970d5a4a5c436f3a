/**
 * Waybill beside plain SQL, measured in the same run.
 *
 * <p>{@link io.waybill.benchmarks.BenchmarkMain} is the command line. {@code harness} measures and prints, {@code
 * workload} and {@code drain} are what is measured, {@code floor} is plain SQL, {@code peers} are other libraries.
 */
@NullMarked
package io.waybill.benchmarks;

import org.jspecify.annotations.NullMarked;
