package io.waybill.command;

import org.jspecify.annotations.Nullable;

/** Calls the method that handles a command. */
@FunctionalInterface
interface HandlerCall {

    @Nullable
    Object handle(DomainCommand command) throws Throwable;
}
