package io.waybill.server;

import io.waybill.store.HandlerStats;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

@Command(name = "stats", description = "How much each handler has handled lately.", mixinStandardHelpOptions = true)
final class InboxStatsCommand implements Callable<Integer> {

    @Spec
    @SuppressWarnings("NullAway.Init")
    private CommandSpec spec;

    @Mixin
    private DatabaseOptions database = new DatabaseOptions();

    @Mixin
    private OutputOptions output = new OutputOptions();

    @Option(names = "--hours", paramLabel = "N", defaultValue = "24", description = "Of the last N hours (24).")
    private int hours = 24;

    @Override
    public Integer call() {
        if (hours < 1) {
            throw new ParameterException(spec.commandLine(), "--hours (" + hours + ") must be at least 1.");
        }
        List<HandlerStats> stats = database.use(store -> store.transactions()
                .inTransaction(transaction -> store.inboxStore().stats(transaction, Duration.ofHours(hours))));
        if (stats.isEmpty() && !output.isJson()) {
            spec.commandLine().getOut().println("Nothing was handled in the last " + hours + " hours.");
            return 0;
        }
        Instant now = Clock.systemUTC().instant();
        var answer = new Answer("handler", "handled", "last");
        stats.forEach(one -> answer.add(
                one.handler(),
                one.handled(),
                output.isJson() ? one.last() : Ages.words(Ages.of(one.last(), now)) + " ago"));
        output.print(answer, spec.commandLine().getOut());
        return 0;
    }
}
