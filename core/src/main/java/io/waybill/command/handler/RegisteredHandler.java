package io.waybill.command.handler;

import io.waybill.command.DomainCommand;
import org.jspecify.annotations.Nullable;

/**
 * A method that handles one type of command.
 *
 * @param call its receiver is bound already, or is asked for with the first command
 * @param description class and method, for people
 */
public record RegisteredHandler(
        String type, Class<? extends DomainCommand> command, HandlerCall call, String description) {

    @Nullable
    public Object handle(DomainCommand given) throws Throwable {
        return call.handle(given);
    }
}
