/**
 * Benchmarks of commands, processes and receiving.
 *
 * <p>One class for each.
 */
@NullMarked
package io.waybill.benchmarks.job;

import org.jspecify.annotations.NullMarked;
