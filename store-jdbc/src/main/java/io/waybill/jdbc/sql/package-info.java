/**
 * JDBC helpers and transactions.
 *
 * <p>{@link io.waybill.jdbc.sql.Dialect} knows the database, {@link io.waybill.jdbc.sql.Jdbc} runs statements, {@link
 * io.waybill.jdbc.sql.JdbcTransactions} joins plain JDBC transactions.
 */
@NullMarked
package io.waybill.jdbc.sql;

import org.jspecify.annotations.NullMarked;
