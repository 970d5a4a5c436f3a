/**
 * Writes and values of statements.
 *
 * <p>{@link io.waybill.jdbc.internal.sql.RoundTrips} sends several writes at once; {@link
 * io.waybill.jdbc.internal.sql.RowStatement} and {@link io.waybill.jdbc.internal.sql.Write} describe them; {@link
 * io.waybill.jdbc.internal.sql.Envelopes} binds and reads messages.
 */
@NullMarked
package io.waybill.jdbc.internal.sql;

import org.jspecify.annotations.NullMarked;
