/**
 * Checks and repairs of an adopted table.
 *
 * <p>{@code LayoutCheck} compares it with its layout, {@link io.waybill.jdbc.layout.schema.LayoutSchema} adds what is
 * missing, {@link io.waybill.jdbc.layout.schema.Notice} is what a person should know.
 */
@NullMarked
package io.waybill.jdbc.layout.schema;

import org.jspecify.annotations.NullMarked;
