/**
 * Benchmarks with a real broker.
 *
 * <p>One class for each.
 */
@NullMarked
package io.waybill.benchmarks.broker;

import org.jspecify.annotations.NullMarked;
