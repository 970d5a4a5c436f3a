package io.waybill.benchmarks;

import io.waybill.benchmarks.broker.ArtemisBenchmark;
import io.waybill.benchmarks.broker.KafkaBenchmark;
import io.waybill.benchmarks.broker.RabbitMqBenchmark;
import io.waybill.benchmarks.harness.Benchmark;
import io.waybill.benchmarks.harness.BenchmarkSettings;
import io.waybill.benchmarks.harness.Lab;
import io.waybill.benchmarks.harness.Report;
import io.waybill.benchmarks.job.CommandsBenchmark;
import io.waybill.benchmarks.job.FinishedBenchmark;
import io.waybill.benchmarks.job.ProcessesBenchmark;
import io.waybill.benchmarks.job.ReceiveBenchmark;
import io.waybill.benchmarks.latency.LatencyBenchmark;
import io.waybill.benchmarks.outbox.AppendBenchmark;
import io.waybill.benchmarks.outbox.ClaimBenchmark;
import io.waybill.benchmarks.outbox.DrainBenchmark;
import io.waybill.benchmarks.outbox.HotKeyBenchmark;
import io.waybill.benchmarks.outbox.IsolationBenchmark;
import io.waybill.benchmarks.outbox.LayoutsBenchmark;
import io.waybill.benchmarks.outbox.MemoryBenchmark;
import io.waybill.benchmarks.outbox.PeersBenchmark;
import io.waybill.benchmarks.outbox.PoisonBenchmark;
import io.waybill.benchmarks.outbox.SnapshotBenchmark;
import io.waybill.testkit.services.database.Postgres;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code benchmarks/run}: measures what is asked for and prints a table for each. */
@Command(
        name = "benchmarks/run",
        description = "Measures Waybill beside plain SQL, on a PostgreSQL of its own.",
        mixinStandardHelpOptions = true)
public final class BenchmarkMain implements Callable<Integer> {

    private static final String ALL = "all";

    /** Needs a heap of its own, so {@code all} leaves it to {@code benchmarks/run}, which starts a second process. */
    private static final Benchmark MEMORY = new MemoryBenchmark();

    private static final Benchmark PEERS = new PeersBenchmark();
    private static final Benchmark DRAIN = new DrainBenchmark();
    private static final List<Benchmark> USUAL = List.of(
            DRAIN,
            new AppendBenchmark(),
            new LatencyBenchmark(),
            new ClaimBenchmark(),
            new HotKeyBenchmark(),
            new SnapshotBenchmark(),
            new PoisonBenchmark(),
            new IsolationBenchmark(),
            new ReceiveBenchmark(),
            new CommandsBenchmark(),
            new ProcessesBenchmark());

    private static final Benchmark FINISHED = new FinishedBenchmark();

    private static final Benchmark LAYOUTS = new LayoutsBenchmark();

    /** Need a broker besides, so {@code all} leaves them out. */
    private static final List<Benchmark> BROKERS =
            List.of(new KafkaBenchmark(), new RabbitMqBenchmark(), new ArtemisBenchmark());

    @Spec
    @SuppressWarnings("NullAway.Init")
    private CommandSpec spec;

    @Parameters(
            arity = "1..*",
            paramLabel = "BENCHMARK",
            description =
                    "drain, append, latency, claim, hotkey, snapshot, poison, isolation, receive, commands, processes, finished, layouts, memory, peers, all; kafka, rabbitmq, artemis.")
    private List<String> names = List.of();

    @Option(names = "--messages", defaultValue = "100000", description = "How many wait. Default: ${DEFAULT-VALUE}.")
    private int messages;

    @Option(
            names = "--rounds",
            defaultValue = "5",
            description = "How often each is measured. Default: ${DEFAULT-VALUE}.")
    private int rounds;

    @Option(
            names = "--warm-up",
            defaultValue = "8",
            description = "How many rounds come before those and do not count. Default: ${DEFAULT-VALUE}.")
    private int warmUp;

    @Option(
            names = "--no-fsync",
            description = "Commits do not wait for the disk, which leaves what the processors do. Results are saved as"
                    + " <name>-no-fsync.md.")
    private boolean noFsync;

    @Option(
            names = "--seconds",
            defaultValue = "10",
            description = "How long a latency is watched, each time. Default: ${DEFAULT-VALUE}.")
    private int seconds;

    @Option(names = "--large", description = "claim: also with 2,000,000 messages.")
    private boolean large;

    @Option(names = "--peers", description = "drain, all: also the other libraries.")
    private boolean peers;

    @Option(names = "--save", description = "Also write each table to the results, as Markdown.")
    private boolean save;

    @Option(
            names = "--results",
            defaultValue = "benchmarks/results",
            description = "Where --save writes. Default: ${DEFAULT-VALUE}.")
    @SuppressWarnings("NullAway.Init")
    private Path results;

    public static void main(String[] arguments) {
        System.exit(new CommandLine(new BenchmarkMain())
                .setOverwrittenOptionsAllowed(true)
                .execute(arguments));
    }

    @Override
    public Integer call() throws Exception {
        List<Benchmark> benchmarks = chosen();
        var settings = new BenchmarkSettings(messages, warmUp, rounds, Duration.ofSeconds(seconds), !noFsync, large);
        try (Postgres server = noFsync ? Postgres.start() : Postgres.startSyncing()) {
            var lab = Lab.with(server, settings, spec.commandLine().getErr());
            for (Benchmark benchmark : benchmarks) {
                report(benchmark, lab, spec.commandLine().getOut());
            }
        }
        return 0;
    }

    private List<Benchmark> chosen() {
        List<Benchmark> chosen = new ArrayList<>();
        names.forEach(name -> chosen.addAll(name.equals(ALL) ? USUAL : List.of(named(name))));
        if (peers && chosen.contains(DRAIN) && !chosen.contains(PEERS)) {
            chosen.add(PEERS);
        }
        return chosen;
    }

    private Benchmark named(String name) {
        List<Benchmark> known = new ArrayList<>(USUAL);
        known.addAll(List.of(MEMORY, PEERS, LAYOUTS, FINISHED));
        known.addAll(BROKERS);
        return known.stream()
                .filter(benchmark -> benchmark.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new ParameterException(
                        spec.commandLine(), "There is no benchmark '" + name + "'. See benchmarks/run --help."));
    }

    private void report(Benchmark benchmark, Lab lab, PrintWriter out) throws Exception {
        Report report = Report.of(benchmark, lab);
        out.println(report.asText());
        if (save) {
            out.println("Saved as " + report.save(results));
        }
        out.flush();
    }
}
