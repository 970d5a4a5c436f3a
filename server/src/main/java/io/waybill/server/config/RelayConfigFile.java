package io.waybill.server.config;

import io.waybill.Backoff;
import io.waybill.WaybillException;
import io.waybill.jdbc.layout.AdoptedTable;
import io.waybill.jdbc.layout.table.ColumnMeaning;
import io.waybill.jdbc.layout.table.Layout;
import io.waybill.jdbc.schema.JdbcStoreOptions;
import io.waybill.message.DestinationPattern;
import io.waybill.relay.route.RelayOptions;
import io.waybill.relay.route.Route;
import io.waybill.server.database.DatabaseUrl;
import io.waybill.server.output.YamlErrors;
import io.waybill.store.outbox.LeaseStore;
import io.waybill.store.outbox.OnExhausted;
import io.waybill.transport.SecretMask;
import io.waybill.transport.TransportUrl;
import io.waybill.transport.wire.WireFormat;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;

/** Reads sources and routes from a YAML file, and reports everything that is wrong with it at once. */
public final class RelayConfigFile {

    static final Duration ADOPTED_POLL = Duration.ofMillis(200);

    /** Nobody writes more, and reading much more takes minutes. */
    static final int MAX_BYTES = 1024 * 1024;

    private final List<String> problems = new ArrayList<>();

    private RelayConfigFile() {}

    public static RelayConfig read(Path file) {
        return read(file, System::getenv);
    }

    static RelayConfig read(Path file, Function<String, @Nullable String> environment) {
        try {
            if (Files.size(file) > MAX_BYTES) {
                throw new WaybillException(
                        file + " has " + Files.size(file) + " bytes. Give --config a YAML file of at most 1 MB.");
            }
            return parse(file.toString(), Files.readString(file), environment);
        } catch (IOException e) {
            throw new WaybillException(
                    "Could not read " + file + ": " + e + ". Give --config a readable YAML file.", e);
        }
    }

    public static RelayConfig parse(String name, String yaml, Function<String, @Nullable String> environment) {
        var file = new RelayConfigFile();
        Object document;
        try {
            document = new Load(LoadSettings.builder().setLabel(name).build()).loadFromString(yaml);
        } catch (YamlEngineException e) {
            throw new WaybillException(name + " is not YAML: " + YamlErrors.where(e));
        } catch (StackOverflowError e) {
            throw new WaybillException(name + " is nested too deeply.", e);
        }
        RelayConfig config = file.config(new ConfigSection("", document, file.problems, environment));
        if (!file.problems.isEmpty()) {
            throw new WaybillException(
                    name + " has " + file.problems.size() + (file.problems.size() == 1 ? " mistake" : " mistakes")
                            + ":\n- " + String.join("\n- ", file.problems));
        }
        return config;
    }

    private RelayConfig config(ConfigSection top) {
        List<RelayConfig.Source> sources = new ArrayList<>();
        Set<String> names = new HashSet<>();
        for (ConfigSection section : top.sections("sources")) {
            int before = problems.size();
            String name = section.required("name", "a short name for logs and routes");
            if (!name.isEmpty() && !name.matches("[A-Za-z0-9][A-Za-z0-9._-]{0,63}")) {
                section.problem("name", name, "must have 1 to 64 letters, digits, '.', '_' or '-'");
            }
            if (!name.isEmpty() && !names.add(name)) {
                section.problem("name", name, "is the name of another source too");
            }
            source(section, name, before).ifPresent(sources::add);
            section.refuseTheRest();
        }
        List<RelayConfig.Destination> destinations = new ArrayList<>();
        for (ConfigSection section : top.sections("routes")) {
            destination(section, names).ifPresent(destinations::add);
            section.refuseTheRest();
        }
        if (problems.isEmpty() && sources.isEmpty()) {
            top.problem("sources", "", "is missing: at least one table to read from");
        }
        if (problems.isEmpty() && destinations.isEmpty()) {
            top.problem("routes", "", "is missing: at least one destination");
        }
        Optional<ConsoleSettings> console = ConsoleSection.settings(top);
        top.refuseTheRest();
        return new RelayConfig(sources, destinations, console);
    }

    private Optional<RelayConfig.Source> source(ConfigSection section, String name, int before) {
        Optional<DatabaseUrl> database = database(section);
        boolean mapping = section.text("layout", "native").equals("mapping");
        boolean created = section.has("setup");
        boolean setup = section.flag("setup", true);
        Optional<LayoutChoice> choice = (mapping ? mapping(section) : layout(section))
                .map(one -> zoned(section, one))
                .map(one -> created && setup ? one.creating() : one)
                .map(one -> one.naming(section.map("types")));
        Duration retention = section.duration("retention", Duration.ofDays(7));
        long maxPayload = section.bytes("max-payload", JdbcStoreOptions.DEFAULT_MAX_PAYLOAD);
        boolean adopted = choice.filter(LayoutChoice::isAdopted).isPresent();
        boolean unorderedIds = section.flag("accept-unordered-ids", false);
        RelayOptions relay = relay(section, adopted);
        String prefix = section.text("table-prefix", "");
        String pool = section.text("pool", LeaseStore.DEFAULT_POOL);
        if (!LeaseStore.isPoolName(pool)) {
            section.problem("pool", pool, "must have 1 to 64 letters, digits, '.', '_' or '-'");
        }
        return problems.size() > before || database.isEmpty() || choice.isEmpty()
                ? Optional.empty()
                : Optional.of(new RelayConfig.Source(
                        name,
                        database.get(),
                        choice.get().layout(),
                        setup ? choice.get().setup() : AdoptedTable.Setup.NOTHING,
                        prefix,
                        pool,
                        retention,
                        maxPayload,
                        unorderedIds,
                        relay));
    }

    private static RelayOptions relay(ConfigSection section, boolean adopted) {
        RelayOptions usual = RelayOptions.DEFAULT;
        return usual.withBatchSize(section.number("batch-size", usual.batchSize(), 1))
                .withSweepInterval(positive(section, "poll", adopted ? ADOPTED_POLL : usual.sweepInterval()))
                .withLeaseTime(positive(section, "lease-time", usual.leaseTime()))
                .withClaimTimeout(positive(section, "claim-timeout", usual.claimTimeout()))
                .withCloseTimeout(positive(section, "close-timeout", usual.closeTimeout()));
    }

    private static Duration positive(ConfigSection section, String key, Duration usual) {
        Duration value = section.duration(key, usual);
        if (value.isZero()) {
            section.problem(key, value, "must be longer than zero");
        }
        return value.isZero() ? usual : value;
    }

    private Optional<DatabaseUrl> database(ConfigSection section) {
        String url = section.required("db", "for example postgresql://user@host:5432/database");
        String password = section.text("password", "");
        String passwordFile = section.text("password-file", "");
        if (url.isEmpty()) {
            return Optional.empty();
        }
        try {
            DatabaseUrl parsed = DatabaseUrl.parse(url);
            if (!passwordFile.isEmpty()) {
                return Optional.of(parsed.withPasswordFile(Path.of(passwordFile)));
            }
            return Optional.of(password.isEmpty() ? parsed : parsed.withPassword(password));
        } catch (WaybillException e) {
            section.problem("db", "", String.valueOf(e.getMessage()));
            return Optional.empty();
        }
    }

    private Optional<LayoutChoice> layout(ConfigSection section) {
        String layout = section.text("layout", "native");
        String table = section.text("table", "");
        String destination = section.text("destination", "");
        try {
            return Optional.of(LayoutChoice.of(layout, table, destination));
        } catch (WaybillException e) {
            section.problem("layout", layout, "is refused: " + masked(e, layout));
            return Optional.empty();
        }
    }

    private static LayoutChoice zoned(ConfigSection section, LayoutChoice choice) {
        String zone = section.text("time-zone", "");
        try {
            return zone.isEmpty() ? choice : choice.in(ZoneId.of(zone));
        } catch (DateTimeException e) {
            section.problem("time-zone", zone, "is no time zone: write Europe/Warsaw or +02:00");
        } catch (WaybillException e) {
            section.problem("time-zone", zone, "is refused: " + e.getMessage());
        }
        return choice;
    }

    /** A table that somebody describes by its columns. */
    private Optional<LayoutChoice> mapping(ConfigSection section) {
        String table = section.required("table", "the table that the mapping describes");
        Map<ColumnMeaning, String> columns = new EnumMap<>(ColumnMeaning.class);
        ConfigSection mapped = section.section("columns");
        for (ColumnMeaning meaning : ColumnMeaning.values()) {
            if (mapped.has(meaning.label())) {
                columns.put(meaning, mapped.text(meaning.label(), ""));
            }
        }
        mapped.refuseTheRest();
        Map<String, String> done = section.is("done", "delete") ? Map.of() : section.map("done");
        Map<String, String> pending = section.map("pending");
        if (!section.has("done")) {
            section.problem("done", "", "is missing: 'delete', or what to write to a row that was sent");
        }
        try {
            return Optional.of(new LayoutChoice(
                    Optional.of(new Layout(
                            "mapping",
                            table,
                            columns,
                            Set.of(),
                            section.text("destination", ""),
                            pending,
                            done,
                            section.map("failed"),
                            Optional.empty(),
                            Layout.Reading.PLAIN)),
                    AdoptedTable.Setup.BESIDE));
        } catch (WaybillException e) {
            section.problem("", "", "is refused: " + e.getMessage());
            return Optional.empty();
        }
    }

    private Optional<RelayConfig.Destination> destination(ConfigSection section, Set<String> sourceNames) {
        int before = problems.size();
        String match = section.text("match", "**");
        String to = section.required("to", "the URL of a broker, such as kafka://host:9092, or stdout:");
        WireFormat format = section.choice("format", WireFormat.PLAIN, WireFormat.class);
        String name = section.text("name", "{destination}");
        int maxAttempts = section.number("max-attempts", Route.DEFAULT_MAX_ATTEMPTS, 1);
        Optional<Backoff> backoff = section.has("backoff") ? backoff(section.section("backoff")) : Optional.empty();
        OnExhausted onExhausted = section.choice("on-exhausted", OnExhausted.PARK, OnExhausted.class);
        List<String> requiredQueues = section.texts("required-queues");
        if (!requiredQueues.isEmpty() && !to.startsWith("jms+")) {
            section.problem("required-queues", requiredQueues, "is for jms+ibmmq:// and jms+artemis:// only");
        }
        Set<String> sources = Set.copyOf(section.texts("sources"));
        sources.stream()
                .filter(source -> !sourceNames.contains(source))
                .forEach(source -> section.problem("sources", source, "is not the name of a source"));
        check(section, "match", match, () -> DestinationPattern.of(match));
        if (!to.isEmpty()) {
            check(section, "to", to, () -> SecretMask.remember(TransportUrl.parse(to)));
        }
        return problems.size() > before
                ? Optional.empty()
                : Optional.of(new RelayConfig.Destination(
                        match, to, name, format, maxAttempts, backoff, onExhausted, requiredQueues, sources));
    }

    private Optional<Backoff> backoff(ConfigSection section) {
        Duration base = section.duration("base", Backoff.DEFAULT.base());
        Duration cap = section.duration("cap", Backoff.DEFAULT.cap());
        double jitter = section.share("jitter", Backoff.DEFAULT.jitter());
        section.refuseTheRest();
        if (cap.compareTo(base) < 0) {
            section.problem("cap", cap.toSeconds() + "s", "must not be below base (" + base.toSeconds() + "s)");
            return Optional.empty();
        }
        return Optional.of(new Backoff(base, cap, jitter));
    }

    private static void check(ConfigSection section, String key, String value, Runnable rule) {
        try {
            rule.run();
        } catch (WaybillException e) {
            section.problem(key, value, "is refused: " + masked(e, value));
        }
    }

    /** What stands in the wrong place may be a secret. */
    private static String masked(WaybillException e, String value) {
        return String.valueOf(e.getMessage()).replace(value, SecretMask.value(value));
    }
}
