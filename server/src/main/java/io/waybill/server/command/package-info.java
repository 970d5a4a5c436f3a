/**
 * {@code command} and {@code operation}: inspect commands and the actions of operators.
 *
 * <p>{@link io.waybill.server.command.CommandCommand} and {@link io.waybill.server.command.OperationCommand}.
 */
@NullMarked
package io.waybill.server.command;

import org.jspecify.annotations.NullMarked;
