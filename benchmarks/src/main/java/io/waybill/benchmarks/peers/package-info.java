/**
 * Other libraries that do a part of what Waybill does, one class each, set up for throughput: {@link
 * io.waybill.benchmarks.peers.GruelboxDrain}, {@link io.waybill.benchmarks.peers.DbSchedulerDrain}.
 */
@NullMarked
package io.waybill.benchmarks.peers;

import org.jspecify.annotations.NullMarked;
