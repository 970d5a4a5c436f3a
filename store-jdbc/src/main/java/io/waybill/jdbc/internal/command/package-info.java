/**
 * The command table.
 *
 * <p>{@link io.waybill.jdbc.internal.command.JdbcCommandStore}.
 */
@NullMarked
package io.waybill.jdbc.internal.command;

import org.jspecify.annotations.NullMarked;
