/**
 * Description of an adopted table.
 *
 * <p>{@link io.waybill.jdbc.layout.table.Layout} says which column means what and what becomes of a row; {@link
 * io.waybill.jdbc.layout.table.Layouts} holds the known ones; {@code LayoutSql} writes statements for it.
 */
@NullMarked
package io.waybill.jdbc.layout.table;

import org.jspecify.annotations.NullMarked;
