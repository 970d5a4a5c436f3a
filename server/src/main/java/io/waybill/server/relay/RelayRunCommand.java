package io.waybill.server.relay;

import io.waybill.WaybillException;
import io.waybill.jdbc.schema.JdbcStoreOptions;
import io.waybill.server.cli.Shutdown;
import io.waybill.server.cli.UsageErrors;
import io.waybill.server.config.BrokerUrl;
import io.waybill.server.config.ByteSize;
import io.waybill.server.config.ConfigWatch;
import io.waybill.server.config.ConsoleSettings;
import io.waybill.server.config.ListenAddress;
import io.waybill.server.config.RelayConfig;
import io.waybill.server.config.RelayConfigOptions;
import io.waybill.server.console.ConsoleService;
import io.waybill.server.output.JsonLogEncoder;
import io.waybill.store.outbox.LeaseStore;
import io.waybill.transport.wire.WireFormat;
import java.io.PrintWriter;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

@Command(
        name = "run",
        description = {
            "Publish the messages of outbox tables, in order, until Ctrl-C.",
            "",
            "Any program can write messages: INSERT INTO outbox (destination, payload) is enough; partition_key"
                    + " keeps the order of a key. Use --layout for tables of other libraries, and --config for several"
                    + " databases and destinations."
        },
        mixinStandardHelpOptions = true,
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:done",
            "1:it failed",
            "2:the command line or the file is wrong",
            "3:--once: some messages failed or were left, or some sources failed",
            "4:--once: a destination takes no messages"
        })
final class RelayRunCommand implements Callable<Integer> {

    private static final Logger log = LoggerFactory.getLogger(RelayRunCommand.class);

    @Spec
    @SuppressWarnings("NullAway.Init")
    private CommandSpec spec;

    @Mixin
    private RelayConfigOptions options = new RelayConfigOptions();

    @Option(
            names = "--format",
            paramLabel = "FORMAT",
            defaultValue = "plain",
            description = "Format of published messages: plain, cloudevents-binary or cloudevents-structured (plain).")
    private String format = "plain";

    @Option(
            names = "--retention-days",
            paramLabel = "N",
            defaultValue = "7",
            description = "How long to keep published messages (7); 0 removes each when it is published.")
    private int retentionDays = 7;

    @Option(
            names = "--max-payload",
            paramLabel = "BYTES",
            description = {
                "Maximum size of a payload, such as 500KB or 64MB (an eighth of the heap). A larger one is not read,"
                        + " and",
                "its message fails."
            })
    private @Nullable String maxPayload;

    @Option(
            names = "--pool",
            paramLabel = "NAME",
            defaultValue = LeaseStore.DEFAULT_POOL,
            description = {
                "The pool of relays that share the work (default). Relays of one table with other routes need another",
                "pool, and no destination may be served by two pools."
            })
    private String pool = LeaseStore.DEFAULT_POOL;

    @Option(
            names = "--health",
            paramLabel = "[HOST:]PORT",
            description = {
                "Serve probes at /health/live and /health/ready, and metrics for Prometheus at /metrics, on this machine",
                "only unless you give a host (0.0.0.0 for all)."
            })
    private @Nullable String health;

    @Option(
            names = "--console",
            paramLabel = "[HOST:]PORT",
            description = {
                "Serve the web console of the native sources, on this machine only unless you give a host and --console-users.",
                "In a file: 'console', whose other settings stay in force."
            })
    private @Nullable String console;

    @Option(
            names = "--console-users",
            paramLabel = "FILE",
            description = "The users of the console, one line each: name:role:hash.")
    private @Nullable Path consoleUsers;

    /** How the log is written. */
    enum LogFormat {
        TEXT,
        JSON
    }

    @Option(
            names = "--log-format",
            paramLabel = "FORMAT",
            defaultValue = "${env:WAYBILL_LOG_FORMAT:-text}",
            description = "Write the log as text, or as json with one object per line (text).")
    private LogFormat logFormat = LogFormat.TEXT;

    @Option(names = "--once", description = "Publish what waits now, print the result, and exit.")
    private boolean once;

    @Option(names = "--dry-run", description = "Print what would be published, and change nothing.")
    private boolean dryRun;

    @Override
    public Integer call() {
        if (logFormat == LogFormat.JSON) {
            JsonLogEncoder.install();
        }
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
        return serve(chosen, healthAddress(), consoleSettings(chosen), err);
    }

    private RelayConfig chosen() {
        if (!options.hasDestination() && !dryRun) {
            throw new ParameterException(
                    spec.commandLine(), "--to is missing: say where messages go, as in --to kafka://localhost:9092");
        }
        if (!LeaseStore.isPoolName(pool)) {
            throw new ParameterException(
                    spec.commandLine(), "--pool (" + pool + ") must have 1 to 64 letters, digits, '.', '_' or '-'.");
        }
        return options.chosen(
                UsageErrors.checked(spec, () -> WireFormat.of(format)),
                Duration.ofDays(retentionDays),
                UsageErrors.checked(spec, "--max-payload", this::maxPayload),
                pool);
    }

    private long maxPayload() {
        return maxPayload == null ? JdbcStoreOptions.DEFAULT_MAX_PAYLOAD : ByteSize.parse(maxPayload);
    }

    /** An address that cannot be opened is a wrong setting, and reported before anything starts. */
    private void checkTransports(RelayConfig chosen) {
        String problems = chosen.destinations().stream()
                .map(RelayConfig.Destination::to)
                .distinct()
                .map(RelayRunCommand::problem)
                .filter(problem -> !problem.isEmpty())
                .collect(Collectors.joining("\n"));
        if (!problems.isEmpty()) {
            throw new ParameterException(
                    spec.commandLine(),
                    options.file().map(file -> "routes of " + file + ":\n").orElse("--to: ") + problems);
        }
    }

    private static String problem(String url) {
        try {
            BrokerUrl.open(url).close();
            return "";
        } catch (WaybillException e) {
            return String.valueOf(e.getMessage());
        }
    }

    private Optional<InetSocketAddress> healthAddress() {
        return UsageErrors.checked(
                spec, "--health", () -> Optional.ofNullable(health).map(ListenAddress::parse));
    }

    /** What the command line says replaces that part of the file; the rest of the file stays in force. */
    private Optional<ConsoleSettings> consoleSettings(RelayConfig chosen) {
        Optional<ConsoleSettings> settings = Optional.ofNullable(console)
                .map(listen -> UsageErrors.checked(spec, "--console", () -> ListenAddress.parse(listen)))
                .map(address -> chosen.console().orElse(ConsoleSettings.DEFAULT).at(address))
                .or(chosen::console);
        Path users = consoleUsers;
        return users == null ? settings : settings.map(console -> console.users(users));
    }

    /** Tables of others have neither an audit nor most of what a console shows. */
    private static ConsoleService console(RelayConfig chosen, ConsoleSettings settings, PrintWriter err) {
        List<ConsoleService.Named> databases = chosen.sources().stream()
                .filter(source -> source.layout().isEmpty())
                .map(source -> new ConsoleService.Named(source.name(), source.database(), source.prefix()))
                .toList();
        var service = ConsoleService.start(databases, settings);
        err.println("waybill: the console is at " + service.url());
        return service;
    }

    private int serve(
            RelayConfig chosen,
            Optional<InetSocketAddress> probes,
            Optional<ConsoleSettings> settings,
            PrintWriter err) {
        var shutdown = Shutdown.hook();
        var service = new RelayService();
        // Probes are answered from before the start until after the end.
        try (HealthServer probed = probes.map(address -> HealthServer.start(address, service))
                        .orElse(null);
                ConsoleService shown =
                        settings.map(wanted -> console(chosen, wanted, err)).orElse(null);
                RelayService served = service;
                ConfigWatch watch = options.file()
                        .map(file -> ConfigWatch.start(file, service::serve, service::refuse))
                        .orElseGet(() -> ConfigWatch.start(chosen, service::serve, service::refuse))) {
            service.serve(chosen);
            tellStart(chosen.sources().size(), err);
            shutdown.await();
        } finally {
            shutdown.ended();
        }
        return 0;
    }

    private void tellStart(int sources, PrintWriter err) {
        String from = sources + (sources == 1 ? " source" : " sources");
        if (logFormat == LogFormat.JSON) {
            log.info("Sending from {}.", from);
        } else {
            err.println("waybill: sending from " + from + "; Ctrl-C ends it.");
            err.flush();
        }
    }
}
