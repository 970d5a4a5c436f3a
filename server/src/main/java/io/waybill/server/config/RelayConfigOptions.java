package io.waybill.server.config;

import io.waybill.relay.route.RelayOptions;
import io.waybill.server.cli.UsageErrors;
import io.waybill.server.database.DatabaseOptions;
import io.waybill.transport.wire.WireFormat;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** From which tables messages come and where they go: in a file, or in flags for one of each. */
public final class RelayConfigOptions {

    private static final List<String> SAID_BY_FILE = List.of(
            "--layout",
            "--table",
            "--table-prefix",
            "--time-zone",
            "--destination",
            "--format",
            "--retention-days",
            "--max-payload",
            "--pool");

    @Spec(Spec.Target.MIXEE)
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
            description =
                    "Sources and routes in YAML, instead of --db and --to. A running relay reads it again when it changes.")
    private @Nullable Path config;

    /** The file, when there is one. */
    public Optional<Path> file() {
        return Optional.ofNullable(config);
    }

    public boolean hasDestination() {
        return to != null || config != null;
    }

    /**
     * What is in the file, or what the flags say.
     *
     * @param format of messages, and so on: for flags only, a file says it itself
     */
    public RelayConfig chosen(WireFormat format, Duration retention, long maxPayload, String pool) {
        Path file = config;
        if (file == null) {
            return ofFlags(format, retention, maxPayload, pool);
        }
        if (database.isGiven() || to != null) {
            throw new ParameterException(
                    spec.commandLine(), "--config says where messages come from and go: leave --db and --to out.");
        }
        SAID_BY_FILE.stream()
                .filter(spec.commandLine().getParseResult()::hasMatchedOption)
                .findFirst()
                .ifPresent(option -> {
                    throw new ParameterException(
                            spec.commandLine(), option + " is not used with --config: write it into the file.");
                });
        return UsageErrors.checked(spec, () -> RelayConfigFile.read(file));
    }

    private RelayConfig ofFlags(WireFormat format, Duration retention, long maxPayload, String pool) {
        LayoutChoice choice = layout.choice();
        var source = new RelayConfig.Source(
                choice.layout().map(one -> one.table()).orElse("outbox"),
                database.database(),
                choice.layout(),
                choice.setup(),
                database.storeOptions().prefix(),
                pool,
                retention,
                maxPayload,
                false,
                choice.isAdopted()
                        ? RelayOptions.DEFAULT.withSweepInterval(RelayConfigFile.ADOPTED_POLL)
                        : RelayOptions.DEFAULT);
        return new RelayConfig(
                List.of(source),
                List.of(RelayConfig.Destination.everything(to == null ? "stdout:" : to, format)),
                Optional.empty());
    }
}
