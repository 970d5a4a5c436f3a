package io.waybill.server.doctor;

import io.waybill.jdbc.schema.JdbcStoreOptions;
import io.waybill.server.cli.Listing;
import io.waybill.server.cli.OutputOptions;
import io.waybill.server.config.RelayConfig;
import io.waybill.server.config.RelayConfigOptions;
import io.waybill.server.doctor.Finding.Health;
import io.waybill.server.relay.RelayDrain;
import io.waybill.store.outbox.LeaseStore;
import io.waybill.transport.wire.WireFormat;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

@Command(
        name = "doctor",
        description = {
            "Check everything that delivery depends on, and say what to do.",
            "",
            "Connects to every database and destination of --config, or to --db and --to. Checks tables,"
                    + " indexes, rights, dead rows, long transactions, relays, lag and clocks. Changes nothing."
        },
        mixinStandardHelpOptions = true,
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:nothing is wrong, or only warnings",
            "2:the command line or the file is wrong",
            "4:something is not healthy"
        })
public final class DoctorCommand implements Callable<Integer> {

    @Spec
    @SuppressWarnings("NullAway.Init")
    private CommandSpec spec;

    @Mixin
    private RelayConfigOptions options = new RelayConfigOptions();

    @Mixin
    private OutputOptions output = new OutputOptions();

    @Option(
            names = "--max-lag",
            paramLabel = "SECONDS",
            defaultValue = "60",
            description = "How long a message may wait before that is unhealthy (60).")
    private int maxLag = 60;

    @Option(
            names = "--max-transaction",
            paramLabel = "SECONDS",
            defaultValue = "300",
            description = "How long a transaction may be open without a warning (300); 12 times as long is unhealthy.")
    private int maxTransaction = 300;

    @Override
    public Integer call() throws InterruptedException {
        atLeastOne("--max-lag", maxLag);
        atLeastOne("--max-transaction", maxTransaction);
        RelayConfig config = options.chosen(
                WireFormat.PLAIN, Duration.ofDays(7), JdbcStoreOptions.DEFAULT_MAX_PAYLOAD, LeaseStore.DEFAULT_POOL);
        List<Finding> findings = all(config);
        print(findings);
        return findings.stream().anyMatch(finding -> finding.health() == Health.BAD)
                ? RelayDrain.UNHEALTHY
                : RelayDrain.OK;
    }

    private void atLeastOne(String option, int seconds) {
        if (seconds < 1) {
            throw new ParameterException(spec.commandLine(), option + " (" + seconds + ") must be at least 1.");
        }
    }

    /** All at once: one that does not answer must not make the others wait. */
    private List<Finding> all(RelayConfig config) throws InterruptedException {
        List<Callable<List<Finding>>> visits = new ArrayList<>();
        config.sources()
                .forEach(source -> visits.add(new SourceDoctor(
                        source, Duration.ofSeconds(maxLag), Duration.ofSeconds(maxTransaction))::look));
        if (options.hasDestination()) {
            config.destinations().stream()
                    .map(RelayConfig.Destination::to)
                    .distinct()
                    .forEach(to -> visits.add(() -> DestinationDoctor.look(to)));
        }
        ExecutorService threads = Executors.newFixedThreadPool(visits.size());
        try {
            List<Finding> findings = new ArrayList<>();
            for (Future<List<Finding>> visit : threads.invokeAll(visits)) {
                findings.addAll(visit.get());
            }
            return findings;
        } catch (ExecutionException e) {
            throw new IllegalStateException(e.getCause());
        } finally {
            threads.shutdownNow();
        }
    }

    private void print(List<Finding> findings) {
        PrintWriter out = spec.commandLine().getOut();
        if (output.isJson()) {
            var answer = new Listing("where", "check", "health", "says", "advice");
            findings.forEach(finding -> answer.add(
                    finding.where(), finding.check(), word(finding.health()), finding.says(), finding.advice()));
            output.print(answer, out);
            return;
        }
        String last = "";
        for (Finding finding : findings) {
            if (!finding.where().equals(last)) {
                out.println(finding.where());
                last = finding.where();
            }
            out.println("  " + padded(word(finding.health()), 5) + padded(finding.check(), 13) + finding.says());
            if (!finding.advice().isEmpty()) {
                out.println(" ".repeat(20) + "-> " + finding.advice());
            }
        }
        long bad = count(findings, Health.BAD);
        long warnings = count(findings, Health.WARN);
        out.println(
                bad > 0
                        ? "Not healthy: " + bad + " bad, " + warnings + " to look at."
                        : warnings > 0 ? "Healthy, with " + warnings + " to look at." : "Healthy.");
        out.flush();
    }

    private static long count(List<Finding> findings, Health health) {
        return findings.stream().filter(finding -> finding.health() == health).count();
    }

    private static String word(Health health) {
        return health.name().toLowerCase(Locale.ROOT);
    }

    private static String padded(String text, int width) {
        return text + " ".repeat(Math.max(1, width - text.length()));
    }
}
