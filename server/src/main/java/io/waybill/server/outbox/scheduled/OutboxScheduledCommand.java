package io.waybill.server.outbox.scheduled;

import io.waybill.ops.ScheduledOperations;
import io.waybill.ops.ScheduledOperations.Filter;
import io.waybill.ops.ScheduledOperations.Page;
import io.waybill.server.change.SelectedChange;
import io.waybill.server.cli.Ages;
import io.waybill.server.cli.LimitOptions;
import io.waybill.server.cli.Listing;
import io.waybill.server.database.ListingOptions;
import io.waybill.store.admin.ScheduledMessage.Position;
import java.time.Clock;
import java.time.Instant;
import java.util.UUID;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

@Command(
        name = "scheduled",
        description = {
            "List messages that are scheduled for later, the next one first.",
            "",
            "A filter looks through 10,000 messages; --after continues behind them."
        },
        mixinStandardHelpOptions = true,
        subcommands = {OutboxScheduledCommand.Publish.class, OutboxScheduledCommand.Discard.class})
public final class OutboxScheduledCommand implements Callable<Integer> {

    @Spec
    @SuppressWarnings("NullAway.Init")
    private CommandSpec spec;

    @Mixin
    private ListingOptions listing = new ListingOptions();

    @Mixin
    private ScheduledFilterOptions filter = new ScheduledFilterOptions();

    @Mixin
    private LimitOptions limited = new LimitOptions();

    @Option(
            names = "--after",
            paramLabel = "POSITION",
            defaultValue = "",
            description = "Only messages after this position, which is a time and an id, joined by '_'.")
    private String after = "";

    @Override
    public Integer call() {
        Position position = position();
        Page page = listing.read(store ->
                new ScheduledOperations(store.scheduledMessages()).list(filter.filter(), position, limited.limit()));
        Instant now = Clock.systemUTC().instant();
        boolean json = listing.isJson();
        var answer = new Listing("id", json ? "dueAt" : "due", "destination", "type", "key");
        page.items()
                .forEach(message -> answer.add(
                        message.envelope().id(),
                        json ? message.dueAt() : due(message.dueAt(), now),
                        message.envelope().destination(),
                        message.envelope().type(),
                        message.envelope().partitionKey()));
        listing.show(answer, "No such message is scheduled.");
        page.next()
                .ifPresent(next -> listing.hint(
                        "There may be more: waybill outbox scheduled --after " + next.dueAt() + "_" + next.id()));
        return 0;
    }

    private static String due(Instant dueAt, Instant now) {
        return dueAt.isAfter(now)
                ? "in " + Ages.words(Ages.of(now, dueAt))
                : Ages.words(Ages.of(dueAt, now)) + " overdue";
    }

    private Position position() {
        try {
            String[] parts = after.split("_", 2);
            return after.isEmpty() ? Position.START : new Position(Instant.parse(parts[0]), UUID.fromString(parts[1]));
        } catch (RuntimeException e) {
            throw new ParameterException(
                    spec.commandLine(),
                    "--after (" + after + ") is not a position that 'outbox scheduled' has shown.",
                    e);
        }
    }

    @Command(
            name = "publish",
            description = {"Publish a scheduled message now.", "", "The next relay appends it to the outbox."},
            mixinStandardHelpOptions = true)
    static final class Publish implements Callable<Integer> {

        @Mixin
        private SelectedChange change = new SelectedChange();

        @Parameters(paramLabel = "ID", description = "The id that 'waybill outbox scheduled' shows.")
        @SuppressWarnings("NullAway.Init")
        private UUID id;

        @Override
        public Integer call() {
            change.require(true, "");
            return change.run(
                    "Publish",
                    "scheduled messages",
                    "made due",
                    store -> store.scheduledMessages().find(id).isPresent() ? 1 : 0,
                    (store, reason, steps) -> {
                        new ScheduledOperations(store.scheduledMessages()).publish(id);
                        return 1;
                    });
        }
    }

    @Command(
            name = "discard",
            description = {
                "Discard scheduled messages.",
                "",
                "They stay in the outbox as DISCARDED, with the reason, until the cleanup."
            },
            mixinStandardHelpOptions = true)
    static final class Discard implements Callable<Integer> {

        @Mixin
        private ScheduledFilterOptions filter = new ScheduledFilterOptions();

        @Mixin
        private SelectedChange change = new SelectedChange();

        @Override
        public Integer call() {
            Filter selected = filter.filter();
            change.require(!selected.equals(Filter.ALL), "--id or --destination");
            return change.run(
                    "Discard",
                    "scheduled messages",
                    "discarded",
                    store -> new ScheduledOperations(store.scheduledMessages()).count(selected),
                    (store, reason, steps) ->
                            new ScheduledOperations(store.scheduledMessages()).discard(selected, reason, steps));
        }
    }
}
