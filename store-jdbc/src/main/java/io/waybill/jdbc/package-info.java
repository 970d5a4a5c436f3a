/**
 * The store on PostgreSQL, MySQL/MariaDB and H2.
 *
 * <p>In reading order: {@link io.waybill.jdbc.JdbcStore} is the face; {@link io.waybill.jdbc.sql.JdbcTransactions} joins plain
 * JDBC transactions; {@code Schema} creates, upgrades and takes over the tables; {@code Dialect} knows the database; {@code
 * JdbcOutboxStore} with one subclass per database holds the hot path, {@code JdbcLeaseStore} and {@code JdbcInboxStore} the
 * rest. Statements are whole text blocks at the top of the class that runs them.
 */
@NullMarked
package io.waybill.jdbc;

import org.jspecify.annotations.NullMarked;
