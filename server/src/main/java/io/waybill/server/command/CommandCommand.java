package io.waybill.server.command;

import io.waybill.WaybillException;
import io.waybill.command.store.CommandStatus;
import io.waybill.jdbc.ops.CommandAdmin;
import io.waybill.server.cli.Ages;
import io.waybill.server.cli.CommandGroup;
import io.waybill.server.cli.LimitOptions;
import io.waybill.server.cli.Listing;
import io.waybill.server.database.ListingOptions;
import java.io.PrintWriter;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** What an operator sees of commands, and does with them. */
@Command(
        name = "command",
        description = "Inspect commands and their replies, and send commands.",
        mixinStandardHelpOptions = true,
        synopsisSubcommandLabel = "COMMAND",
        subcommands = {
            CommandCommand.Latest.class,
            CommandCommand.Show.class,
            CommandSendCommand.class,
            CommandCleanupCommand.class
        })
public final class CommandCommand extends CommandGroup {

    @Command(
            name = "list",
            description = "List the latest 5000 commands, or those of them that match, the latest first.",
            mixinStandardHelpOptions = true)
    static final class Latest implements Callable<Integer> {

        @Spec
        @SuppressWarnings("NullAway.Init")
        private CommandSpec spec;

        @Mixin
        private ListingOptions listing = new ListingOptions();

        @Mixin
        private LimitOptions limited = new LimitOptions();

        @Option(names = "--type", paramLabel = "TYPE", defaultValue = "", description = "Of this type.")
        private String type = "";

        @Option(names = "--key", paramLabel = "KEY", defaultValue = "", description = "Of this business key.")
        private String key = "";

        @Option(
                names = "--status",
                paramLabel = "STATUS",
                split = ",",
                description = "In one of these: ${COMPLETION-CANDIDATES}.")
        private List<CommandStatus> statuses = new ArrayList<>();

        @Option(names = "--hours", paramLabel = "N", defaultValue = "24", description = "Of the last N hours (24).")
        private int hours = 24;

        @Override
        public Integer call() {
            if (hours < 1) {
                throw new ParameterException(spec.commandLine(), "--hours (" + hours + ") must be at least 1.");
            }
            var query = new CommandAdmin.Query(type, key, Set.copyOf(statuses));
            int limit = limited.limit();
            Instant now = Clock.systemUTC().instant();
            boolean json = listing.isJson();
            var answer = new Listing(
                    "id",
                    "type",
                    "key",
                    "status",
                    "attempt",
                    json ? "createdAt" : "age",
                    json ? "updatedAt" : "changed");
            listing.read(store -> store.commandAdmin().latest(query, Duration.ofHours(hours), limit))
                    .forEach(command -> answer.add(
                            command.id(),
                            command.type(),
                            command.businessKey(),
                            command.status(),
                            command.attempt(),
                            json ? command.createdAt() : Ages.words(Ages.of(command.createdAt(), now)),
                            json ? command.updatedAt() : Ages.words(Ages.of(command.updatedAt(), now)) + " ago"));
            return listing.show(answer, "No commands in the last " + hours + " hours.");
        }
    }

    @Command(
            name = "show",
            description = "Show one command: payload, reply, attempts.",
            mixinStandardHelpOptions = true)
    static final class Show implements Callable<Integer> {

        @Mixin
        private ListingOptions listing = new ListingOptions();

        @Parameters(paramLabel = "ID", description = "The id that 'waybill command list' shows.")
        @SuppressWarnings("NullAway.Init")
        private UUID id;

        @Override
        public Integer call() {
            CommandAdmin.Stored command = listing.read(store -> store.commandAdmin()
                    .find(id)
                    .orElseThrow(() -> new WaybillException("There is no command " + id
                            + ". Look for it with 'waybill command list', or it has been removed after it was over.")));
            Map<String, @Nullable Object> members = new LinkedHashMap<>();
            members.put("id", command.id());
            members.put("type", command.type());
            members.put("status", command.status());
            members.put("attempt", command.attempt());
            members.put("businessKey", command.businessKey());
            members.put("idempotencyKey", command.idempotencyKey());
            members.put("correlationId", command.correlationId());
            members.put("createdAt", command.createdAt());
            members.put("updatedAt", command.updatedAt());
            members.put("timeoutAt", command.timeoutAt());
            members.put("payload", command.payload());
            members.put("reply", command.reply());
            PrintWriter out = listing.out();
            if (listing.isJson()) {
                out.println(Listing.object(members));
            } else {
                members.forEach((name, value) -> out.println(name
                        + " ".repeat(16 - name.length())
                        + (value == null || value.toString().isEmpty() ? "-" : value)));
            }
            return 0;
        }
    }
}
