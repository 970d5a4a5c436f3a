/**
 * Finds the method that handles a command.
 *
 * <p>{@link io.waybill.command.handler.AutoCommandHandlerRegistry} inspects the application's services and keeps one
 * handler for each command type.
 */
@NullMarked
package io.waybill.command.handler;

import org.jspecify.annotations.NullMarked;
