/**
 * Outbox tables that somebody else designed and writes, served by the same relay.
 *
 * <p>In reading order: {@link io.waybill.jdbc.layout.table.Layout} says which column means what and what becomes of a row; {@link
 * io.waybill.jdbc.layout.table.Layouts} holds the known ones; {@link io.waybill.jdbc.layout.AdoptedTable} is the face: it checks the real
 * table and gives the stores for a relay. Behind it {@code LayoutStore} claims and settles with the statements of {@code LayoutSql};
 * {@code RowClaims} marks claimed rows where other workers must see it; {@code Waiting} keeps what a foreign table has no column for.
 *
 * <p>A destination of an adopted table is sent by one relay at a time: its shard is a hash of its name.
 */
@NullMarked
package io.waybill.jdbc.layout;

import org.jspecify.annotations.NullMarked;
