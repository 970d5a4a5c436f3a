/**
 * The store on PostgreSQL, MySQL/MariaDB and H2.
 *
 * <p>{@link io.waybill.jdbc.JdbcStore} is the face. {@code jdbc.sql} knows the database and its transactions, {@code
 * jdbc.schema} creates and upgrades the tables, {@code jdbc.ops} serves operators, {@code jdbc.layout} adopts foreign
 * tables; the stores are in {@code jdbc.internal}. Statements are text blocks at the top of the class that runs them.
 */
@NullMarked
package io.waybill.jdbc;

import org.jspecify.annotations.NullMarked;
