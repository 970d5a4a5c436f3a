/**
 * Benchmark of latency.
 *
 * <p>{@link io.waybill.benchmarks.latency.LatencyBenchmark}.
 */
@NullMarked
package io.waybill.benchmarks.latency;

import org.jspecify.annotations.NullMarked;
