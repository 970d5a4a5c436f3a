/**
 * Tables: create, upgrade, adopt, check.
 *
 * <p>{@link io.waybill.jdbc.schema.Schema} applies {@link io.waybill.jdbc.schema.SchemaScript}s and keeps their history;
 * {@link io.waybill.jdbc.schema.JdbcStoreOptions} names tables and retention.
 */
@NullMarked
package io.waybill.jdbc.schema;

import org.jspecify.annotations.NullMarked;
