/**
 * Databases, messages and jobs of every benchmark.
 *
 * <p>{@link io.waybill.benchmarks.workload.Drain} and {@link io.waybill.benchmarks.workload.Jobs} are what is timed.
 */
@NullMarked
package io.waybill.benchmarks.workload;

import org.jspecify.annotations.NullMarked;
