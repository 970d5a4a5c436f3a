/**
 * {@code schema}: print, check and apply the tables.
 *
 * <p>{@link io.waybill.server.schema.SchemaCommand}.
 */
@NullMarked
package io.waybill.server.schema;

import org.jspecify.annotations.NullMarked;
