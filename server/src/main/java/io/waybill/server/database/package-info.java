/**
 * Which database a command works on.
 *
 * <p>{@link io.waybill.server.database.DatabaseOptions} reads URL, context and environment; {@link
 * io.waybill.server.database.Contexts} is the file of named databases.
 */
@NullMarked
package io.waybill.server.database;

import org.jspecify.annotations.NullMarked;
