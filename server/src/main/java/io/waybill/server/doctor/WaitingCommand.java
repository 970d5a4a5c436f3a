package io.waybill.server.doctor;

import io.waybill.observe.WaitingItem;
import io.waybill.server.cli.Ages;
import io.waybill.server.cli.Listing;
import io.waybill.server.database.ListingOptions;
import io.waybill.server.relay.RelayDrain;
import java.io.PrintWriter;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

@Command(
        name = "waiting",
        description = {
            "List what waits on a database, since when, why, and what ends the wait.",
            "",
            "Without --all it lists only unusual waits: longer than --longer-than (replies and steps: five times"
                    + " as long), or for a person."
        },
        mixinStandardHelpOptions = true)
public final class WaitingCommand implements Callable<Integer> {

    @Spec
    @SuppressWarnings("NullAway.Init")
    private CommandSpec spec;

    @Mixin
    private ListingOptions listing = new ListingOptions();

    @Option(names = "--all", description = "Include waits that are normal.")
    private boolean all;

    @Option(
            names = "--longer-than",
            paramLabel = "SECONDS",
            defaultValue = "60",
            description = "How long a message may wait before that is unusual (60).")
    private int seconds = 60;

    @Override
    public Integer call() {
        if (seconds < 1) {
            throw new ParameterException(spec.commandLine(), "--longer-than (" + seconds + ") must be at least 1.");
        }
        List<WaitingItem> waiting = listing
                .read(store -> store.waiting(Duration.ofSeconds(seconds)).waiting())
                .stream()
                .filter(one -> all || one.unusual())
                .toList();
        if (listing.isJson()) {
            var answer = new Listing("kind", "name", "count", "since", "why", "endedBy", "unusual");
            waiting.forEach(one -> answer.add(
                    one.kind().word(), one.name(), one.count(), one.since(), one.why(), one.endedBy(), one.unusual()));
            return listing.show(answer, "");
        }
        waiting.forEach(this::print);
        if (waiting.isEmpty()) {
            listing.out().println(all ? "Nothing waits." : "Nothing waits unusually; --all shows the rest.");
        }
        listing.out().flush();
        return RelayDrain.OK;
    }

    private void print(WaitingItem one) {
        PrintWriter out = listing.out();
        out.println(one.kind().word() + " " + one.name()
                + one.begun()
                        .map(since -> ", for "
                                + Ages.words(Ages.of(since, Clock.systemUTC().instant())))
                        .orElse("")
                + (one.unusual() ? "" : " (as it should)"));
        out.println("    " + one.why());
        out.println("    -> ends when " + one.endedBy());
    }
}
