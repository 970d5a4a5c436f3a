package io.waybill.command.execution;

import io.waybill.command.store.CommandRecord;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/**
 * A command that is sent for something else, which decides itself about trying again.
 *
 * @param partitionKey what it runs in order of
 * @param refuses nothing for a command that runs its handler. Else the command runs no handler: it makes sure that this earlier command, if
 *     it has not been done, never will be, and its reply says which (see {@link Refusal})
 * @param headers more headers of its message
 */
public record CommandDispatch(
        CommandRecord command, String partitionKey, Optional<UUID> refuses, Map<String, String> headers) {}
