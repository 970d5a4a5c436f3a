/**
 * The graph of a definition.
 *
 * <p>{@link io.waybill.process.graph.ProcessGraph} consists of {@link io.waybill.process.graph.GraphNode}s and {@link
 * io.waybill.process.graph.Step}s; {@code GraphCompiler} builds it from the draft that the DSL writes.
 */
@NullMarked
package io.waybill.process.graph;

import org.jspecify.annotations.NullMarked;
