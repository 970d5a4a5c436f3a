/**
 * Benchmarks of the outbox.
 *
 * <p>One class for each.
 */
@NullMarked
package io.waybill.benchmarks.outbox;

import org.jspecify.annotations.NullMarked;
