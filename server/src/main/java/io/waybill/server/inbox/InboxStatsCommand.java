package io.waybill.server.inbox;

import io.waybill.server.cli.Ages;
import io.waybill.server.cli.Listing;
import io.waybill.server.database.ListingOptions;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

@Command(name = "stats", description = "Count what each handler has handled.", mixinStandardHelpOptions = true)
final class InboxStatsCommand implements Callable<Integer> {

    @Spec
    @SuppressWarnings("NullAway.Init")
    private CommandSpec spec;

    @Mixin
    private ListingOptions listing = new ListingOptions();

    @Option(names = "--hours", paramLabel = "N", defaultValue = "24", description = "Count the last N hours (24).")
    private int hours = 24;

    @Override
    public Integer call() {
        if (hours < 1) {
            throw new ParameterException(spec.commandLine(), "--hours (" + hours + ") must be at least 1.");
        }
        Instant now = Clock.systemUTC().instant();
        var answer = new Listing("handler", "handled", "last");
        listing.read(store -> store.transactions()
                        .inTransaction(transaction -> store.inboxStore().stats(transaction, Duration.ofHours(hours))))
                .forEach(one -> answer.add(
                        one.handler(),
                        one.handled(),
                        listing.isJson() ? one.last() : Ages.words(Ages.of(one.last(), now)) + " ago"));
        return listing.show(answer, "Nothing was handled in the last " + hours + " hours.");
    }
}
