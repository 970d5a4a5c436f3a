package io.waybill.server;

import io.waybill.ops.OutboxOperations;
import io.waybill.store.DestinationStats;
import java.io.PrintWriter;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

@Command(
        name = "stats",
        description = {
            "What waits for each destination.",
            "",
            "pending: to be sent; waiting: refused, to be tried again; held: set aside behind an earlier message of their key;"
                    + " failed: refused for the last time."
        },
        mixinStandardHelpOptions = true)
final class OutboxStatsCommand implements Callable<Integer> {

    @Spec
    @SuppressWarnings("NullAway.Init")
    private CommandSpec spec;

    @Mixin
    private DatabaseOptions database = new DatabaseOptions();

    @Mixin
    private OutputOptions output = new OutputOptions();

    @Override
    public Integer call() {
        List<DestinationStats> stats = database.use(store -> new OutboxOperations(store.admin()).stats());
        PrintWriter out = spec.commandLine().getOut();
        Instant now = Clock.systemUTC().instant();
        if (output.isJson()) {
            answer(stats, now, true).printJson(out);
        } else if (stats.isEmpty()) {
            out.println("Nothing waits in the outbox.");
        } else {
            answer(stats, now, false).printTable(out);
        }
        return 0;
    }

    private static Answer answer(List<DestinationStats> stats, Instant now, boolean json) {
        var answer = new Answer(
                "destination",
                "pending",
                "waiting",
                "held",
                "failed",
                "attempts",
                json ? "maxAttempts" : "most",
                json ? "oldestPendingSeconds" : "oldest");
        for (var one : stats) {
            Duration age = one.oldestPending() == null ? null : Ages.of(one.oldestPending(), now);
            answer.add(
                    one.destination(),
                    one.pending(),
                    one.waiting(),
                    one.held(),
                    one.failed(),
                    one.attempts(),
                    one.maxAttempts(),
                    age == null ? null : json ? (Object) age.toSeconds() : Ages.words(age));
        }
        return answer;
    }
}
