package io.waybill.server.relay;

import io.waybill.server.cli.CommandGroup;
import picocli.CommandLine.Command;

/** What sends the messages of an outbox. */
@Command(
        name = "relay",
        description = "Run a relay, or list the relays of a table.",
        mixinStandardHelpOptions = true,
        synopsisSubcommandLabel = "COMMAND",
        subcommands = {RelayRunCommand.class, RelayListCommand.class})
public final class RelayCommand extends CommandGroup {}
