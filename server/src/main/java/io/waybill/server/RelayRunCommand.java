package io.waybill.server;

import io.waybill.WaybillException;
import io.waybill.relay.RelayOptions;
import io.waybill.transport.Transports;
import io.waybill.transport.WireFormat;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

@Command(
        name = "run",
        description = {
            "Sends what waits in outbox tables, in order, until Ctrl-C.",
            "",
            "Messages may be written by any program: INSERT INTO outbox (destination, payload) is enough, partition_key keeps"
                    + " the order of a key. Tables of other libraries are served by their --layout. Many databases and"
                    + " destinations are described in a file: --config."
        },
        mixinStandardHelpOptions = true,
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:done",
            "1:it failed",
            "2:the command line or the file is wrong",
            "3:--once: some messages or some sources failed",
            "4:--once: a destination takes no messages"
        })
final class RelayRunCommand implements Callable<Integer> {

    @Spec
    @SuppressWarnings("NullAway.Init")
    private CommandSpec spec;

    @Mixin
    private DatabaseOptions database = new DatabaseOptions();

    @Mixin
    private LayoutOptions layout = new LayoutOptions();

    @Option(
            names = "--to",
            paramLabel = "URL",
            defaultValue = "${env:WAYBILL_TO}",
            description = {
                "Where messages go: kafka://host:9092, amqp://user@host, jms+artemis://host:61616, webhook+https://host/path,",
                "or one JSON object per line to stdout: or file:PATH."
            })
    private @Nullable String to;

    @Option(
            names = "--config",
            paramLabel = "FILE",
            defaultValue = "${env:WAYBILL_CONFIG}",
            description = "Sources and routes in YAML, instead of --db and --to. It is read again when it changes.")
    private @Nullable Path config;

    @Option(
            names = "--format",
            paramLabel = "FORMAT",
            defaultValue = "plain",
            description = "How messages look there: plain, cloudevents-binary or cloudevents-structured (plain).")
    private String format = "plain";

    @Option(
            names = "--retention-days",
            paramLabel = "N",
            defaultValue = "7",
            description = "How long sent messages are kept (7); 0 removes them as they are sent.")
    private int retentionDays = 7;

    @Option(names = "--once", description = "Send what waits now, say what became of it, and end.")
    private boolean once;

    @Option(names = "--dry-run", description = "Print what would be sent, and change nothing.")
    private boolean dryRun;

    @Override
    public Integer call() {
        RelayConfig chosen = chosen();
        PrintWriter out = spec.commandLine().getOut();
        PrintWriter err = spec.commandLine().getErr();
        if (dryRun) {
            return new DryRun(chosen).run(out, err);
        }
        checkTransports(chosen);
        if (once) {
            boolean toStdout =
                    chosen.destinations().stream().anyMatch(one -> one.to().startsWith("stdout:"));
            return new RelayDrain(chosen).run(toStdout ? err : out, err);
        }
        return serve(chosen, err);
    }

    private RelayConfig chosen() {
        if (config == null) {
            return ofFlags();
        }
        if (database.isGiven() || to != null) {
            throw new ParameterException(
                    spec.commandLine(), "--config says where messages come from and go: leave --db and --to out.");
        }
        try {
            return RelayConfigFile.read(config);
        } catch (WaybillException e) {
            throw new ParameterException(spec.commandLine(), e.getMessage(), e);
        }
    }

    private RelayConfig ofFlags() {
        if (to == null && !dryRun) {
            throw new ParameterException(
                    spec.commandLine(), "--to is missing: say where messages go, as in --to kafka://localhost:9092");
        }
        LayoutChoice choice = layout.choice();
        var source = new RelayConfig.Source(
                choice.layout().map(one -> one.table()).orElse("outbox"),
                database.database(),
                choice.layout(),
                choice.setup(),
                database.storeOptions().prefix(),
                Duration.ofDays(retentionDays),
                choice.isAdopted() ? RelayConfigFile.ADOPTED_POLL : RelayOptions.DEFAULT.sweepInterval(),
                RelayOptions.DEFAULT.batchSize());
        return new RelayConfig(
                List.of(source),
                List.of(RelayConfig.Destination.everything(to == null ? "stdout:" : to, wireFormat())));
    }

    private WireFormat wireFormat() {
        try {
            return WireFormat.of(format);
        } catch (WaybillException e) {
            throw new ParameterException(spec.commandLine(), e.getMessage(), e);
        }
    }

    /** What cannot even be opened is a mistake of whoever wrote it, and said before anything begins. */
    private void checkTransports(RelayConfig chosen) {
        for (var destination : chosen.destinations()) {
            try {
                Transports.open(destination.to()).close();
            } catch (WaybillException e) {
                throw new ParameterException(spec.commandLine(), "--to: " + e.getMessage(), e);
            }
        }
    }

    private int serve(RelayConfig chosen, PrintWriter err) {
        var stopped = new CountDownLatch(1);
        var ended = new CountDownLatch(1);
        Runtime.getRuntime().addShutdownHook(new Thread(() -> {
            stopped.countDown();
            awaitQuietly(ended);
        }));
        try (RelayService service = RelayService.start(chosen);
                ConfigWatch watch = config == null ? null : ConfigWatch.start(config, service::serve)) {
            err.println("waybill: sending from " + chosen.sources().size()
                    + (chosen.sources().size() == 1 ? " source" : " sources") + "; Ctrl-C ends it.");
            err.flush();
            awaitQuietly(stopped);
        } finally {
            ended.countDown();
        }
        return 0;
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
