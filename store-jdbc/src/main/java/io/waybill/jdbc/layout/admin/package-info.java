/**
 * Operators' statements on an adopted table.
 *
 * <p>{@code LayoutAdmin} lists and changes rows, {@code LayoutStats} counts them.
 */
@NullMarked
package io.waybill.jdbc.layout.admin;

import org.jspecify.annotations.NullMarked;
