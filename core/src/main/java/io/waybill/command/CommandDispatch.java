package io.waybill.command;

import java.util.Optional;
import java.util.UUID;

/**
 * A command that is sent for something else, which decides itself about trying again.
 *
 * @param partitionKey what it runs in order of
 * @param undoes the command that it undoes: if that one has not been done, it is refused from then on, and nothing else happens
 */
public record CommandDispatch(CommandRecord command, String partitionKey, Optional<UUID> undoes) {}
