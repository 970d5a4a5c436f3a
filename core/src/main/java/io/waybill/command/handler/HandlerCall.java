package io.waybill.command.handler;

import io.waybill.command.DomainCommand;
import org.jspecify.annotations.Nullable;

/** Calls the method that handles a command. */
@FunctionalInterface
interface HandlerCall {

    @Nullable
    Object handle(DomainCommand command) throws Throwable;
}
