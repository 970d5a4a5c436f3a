/**
 * Waybill beside plain SQL, measured in the same run.
 *
 * <p>What enters: the name of a benchmark and how many messages. What leaves: a table with the figures of both and their ratio.
 *
 * <p>In reading order: {@link io.waybill.benchmarks.BenchmarkMain} is the command line; a {@code Benchmark} says what is compared with
 * what; {@code Rounds} measures the variants in turn; {@code Line} and {@code Report} are what is printed. {@code Drain} is what
 * most benchmarks time: {@code WaybillDrain} is ours, {@code FloorDrain} the plain SQL, {@code peers} the others.
 */
@NullMarked
package io.waybill.benchmarks;

import org.jspecify.annotations.NullMarked;
