/**
 * What belongs together by a correlation id, as a tree of causes and effects: {@link io.waybill.console.correlation.CorrelationApi} answers,
 * {@link io.waybill.console.correlation.CorrelationSearch} collects, {@link io.waybill.console.correlation.CauseTree} arranges.
 */
@NullMarked
package io.waybill.console.correlation;

import org.jspecify.annotations.NullMarked;
