package io.waybill.server.demo;

import io.waybill.server.cli.ChangeOptions;
import io.waybill.server.cli.Listing;
import io.waybill.server.cli.Operator;
import io.waybill.server.database.DatabaseOptions;
import java.io.PrintWriter;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

@Command(
        name = "bench",
        description = {
            "Measure the outbox on this database.",
            "",
            "It creates its own tables, writes messages to them, publishes them to nowhere, and drops the"
                    + " tables. No other table is touched, but the load slows other users of the database down."
        },
        mixinStandardHelpOptions = true)
public final class BenchCommand implements Callable<Integer> {

    private static final int MAX_MESSAGES = 1_000_000;
    private static final int LARGEST_PAYLOAD = 100_000;
    private static final long LARGEST_TOTAL_BYTES = 2_000_000_000L;

    @Spec
    @SuppressWarnings("NullAway.Init")
    private CommandSpec spec;

    @Mixin
    private DatabaseOptions database = new DatabaseOptions();

    @Mixin
    private ChangeOptions change = new ChangeOptions();

    @Option(
            names = "--messages",
            paramLabel = "N",
            defaultValue = "20000",
            description = "How many messages to write and publish (20000).")
    private int messages = 20_000;

    @Option(
            names = "--payload",
            paramLabel = "BYTES",
            defaultValue = "500",
            description = "Size of each payload (500).")
    private int payload = 500;

    @Override
    public Integer call() {
        within("--messages", messages, 100, MAX_MESSAGES);
        within("--payload", payload, Bench.EMPTY_PAYLOAD, LARGEST_PAYLOAD);
        if ((long) messages * payload > LARGEST_TOTAL_BYTES) {
            throw new ParameterException(
                    spec.commandLine(), "--messages times --payload must stay below 2 GB: this is a measurement.");
        }
        var bench = new Bench(messages, payload, spec.commandLine().getErr());
        announce(bench);
        if (change.isDryRun()) {
            return 0;
        }
        if (!change.isWanted("Measure", database.shown())) {
            return 1;
        }
        Bench.Result result = database.useAny(bench::run);
        Operator.log("Measured with " + messages + " messages", database.shown(), change.reason());
        print(result);
        return 0;
    }

    private void announce(Bench bench) {
        PrintWriter err = spec.commandLine().getErr();
        err.println("waybill: writes " + messages + " messages of " + payload + " bytes, about "
                + Math.max(1, (long) messages * (payload + 300) / 1_000_000) + " MB, to tables of its own, "
                + bench.prefix() + "*, in " + database.shown() + ", and drops them at the end.");
        err.flush();
    }

    private void within(String option, int value, int least, int most) {
        if (value < least || value > most) {
            throw new ParameterException(
                    spec.commandLine(), option + " (" + value + ") must be between " + least + " and " + most + ".");
        }
    }

    private void print(Bench.Result result) {
        boolean json = change.output().isJson();
        var answer = new Listing("what", "value", "unit");
        add(answer, json, "append, one per transaction, median", result.commitMedianMillis(), "ms");
        add(answer, json, "append, one per transaction, slowest of a hundred", result.commitSlowMillis(), "ms");
        add(answer, json, "append, 1000 per transaction", result.appendPerSecond(), "messages/s");
        add(answer, json, "send, one relay, rows kept", result.drainPerSecond(), "messages/s");
        add(answer, json, "from commit to publish, median", result.latencyMedianMillis(), "ms");
        add(answer, json, "from commit to publish, slowest of a hundred", result.latencySlowMillis(), "ms");
        change.output().print(answer, spec.commandLine().getOut());
    }

    private static void add(Listing answer, boolean json, String what, double value, String unit) {
        boolean small = unit.equals("ms");
        Object shown = json ? (Object) value : String.format(Locale.ROOT, small ? "%.2f" : "%,.0f", value);
        answer.add(what, shown, unit);
    }
}
