package io.waybill.server;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.encoder.PatternLayoutEncoder;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.CoreConstants;
import ch.qos.logback.core.OutputStreamAppender;
import ch.qos.logback.core.encoder.Encoder;
import io.waybill.WaybillException;
import io.waybill.server.config.RelayConfigFile;
import io.waybill.server.output.JsonLogEncoder;
import io.waybill.server.output.PlainText;
import io.waybill.server.output.SafeMessageConverter;
import io.waybill.server.relay.RelayService;
import io.waybill.transport.SecretMask;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;
import picocli.CommandLine;

/** A secret is put wherever a setting can stand, right or wrong. Everything that is printed, logged or answered is searched for it. */
class CanaryTest {

    /** In pieces, because a URL that is cut at one of these characters may show a part. */
    private static final String CANARY = "Kanari/Vogel@Gelb9";

    /** Of a URL whose host was forgotten, so that it stands where a port belongs. */
    private static final String HOSTLESS = "KanariVogel";

    private static final List<String> PIECES = List.of("Kanari", "Vogel", "Gelb9");

    private static final List<String> TOP_KEYS = List.of("sources", "routes", "surces");
    private static final List<String> SOURCE_KEYS = List.of(
            "name",
            "db",
            "password",
            "pasword",
            "password-file",
            "layout",
            "setup",
            "retention",
            "poll",
            "batch-size",
            "max-payload",
            "lease-time",
            "claim-timeout",
            "close-timeout",
            "pool",
            "accept-unordered-ids",
            "columns",
            "done",
            "pending",
            "failed",
            "secret",
            "Password");
    private static final List<String> ROUTE_KEYS = List.of(
            "to", "too", "format", "max-attempts", "backoff", "on-exhausted", "required-queues", "sources", "password");
    private static final List<String> URLS = List.of(
            "kafka://user:%s@127.0.0.1:1",
            "kafka://127.0.0.1:1?kafka.sasl.jaas.config=x required password=\"%s\";",
            "kafka://127.0.0.1:1?kafka.sasl.jaas.confg=%s",
            "kafka://127.0.0.1:1?tls=%s",
            "amqp://user:%s@127.0.0.1:1/vhost",
            "amqp://user:%s@127.0.0.1:99999",
            "amqp://user:%s@127.0.0.1:1?pasword=%s",
            "amqp://user:a?%s@127.0.0.1:1",
            "amqp://user:%h",
            "kafka://user:%h",
            "kafka://127.0.0.1:1,user:%h",
            "jms+artemis://user:%h/path",
            "webhook+http://user:%h/hook",
            "amqp://[user:%h",
            "amqp://127.0.0.1:1?in-flight=%s",
            "amqp://127.0.0.1:1?exchange=%s",
            "jms+artemis://user:%s@127.0.0.1:1",
            "jms+artemis://127.0.0.1:1?tls=%s",
            "jms+artemis://127.0.0.1:1?timeout-seconds=%s",
            "jms+ibmmq://user:%s@127.0.0.1:1/QM?channel=%s",
            "webhook+http://127.0.0.1:1/hook?secret=%s",
            "webhook+http://127.0.0.1:1/hook?secert=%s",
            "webhook+http://user:%s@127.0.0.1:1/hook",
            "webhook+http://127.0.0.1:1/hook?timeout=%s",
            "stdout:?password=%s",
            "%s");
    private static final List<String> DATABASES = List.of(
            "postgresql://user:%s@127.0.0.1:1/shop",
            "postgresql://user@127.0.0.1:1/shop?password=%s",
            "postgresql://user:%s@127.0.0.1:one/shop",
            "mariadb://user:%s@127.0.0.1:1/shop",
            "jdbc:postgresql://127.0.0.1:1/shop?user=u&password=%s",
            "jdbc:mariadb://127.0.0.1:1/shop?user=u&password=%s",
            "jdbc:h2:mem:canary;USER=sa;PASSWORD=%s;IFEXISTS=TRUE",
            "postgresql://user:%h/shop",
            "mariadb://user:%h",
            "jdbc:postgresql://user:%h/shop",
            "jdbc:mariadb://user:%h/shop",
            "oracle://user:%s@127.0.0.1/shop",
            "%s");

    /** Commands that do not end, or that keep what they are given because they are told to. */
    private static final List<String> UNENDING = List.of("demo", "context", "completion");

    @TempDir
    Path directory;

    private final ByteArrayOutputStream logged = new ByteArrayOutputStream();
    private final List<String> printed = new ArrayList<>();
    private OutputStreamAppender<ILoggingEvent> appender;
    private OutputStreamAppender<ILoggingEvent> jsonAppender;

    @SuppressWarnings("NullAway.Init")
    CanaryTest() {}

    /** With the pattern of the service's own log, and as JSON. */
    @BeforeEach
    void listen() throws IOException {
        var context = (LoggerContext) LoggerFactory.getILoggerFactory();
        String pattern = new String(
                        Objects.requireNonNull(CanaryTest.class.getResourceAsStream("/logback.xml"))
                                .readAllBytes(),
                        StandardCharsets.UTF_8)
                .replaceAll("(?s).*<pattern>(.*?)</pattern>.*", "$1");
        assertThat(pattern).contains("%safe");
        var encoder = new PatternLayoutEncoder();
        encoder.setContext(context);
        context.putObject(
                CoreConstants.PATTERN_RULE_REGISTRY,
                new HashMap<>(Map.of("safe", SafeMessageConverter.class.getName())));
        encoder.setPattern(pattern);
        encoder.start();
        appender = appender(context, encoder);
        jsonAppender = appender(context, new JsonLogEncoder());
        ((Logger) LoggerFactory.getLogger("io.waybill")).setLevel(Level.DEBUG);
    }

    @AfterEach
    void unlisten() {
        ((Logger) LoggerFactory.getLogger("io.waybill")).setLevel(null);
        logger().detachAppender(appender);
        logger().detachAppender(jsonAppender);
    }

    private OutputStreamAppender<ILoggingEvent> appender(LoggerContext context, Encoder<ILoggingEvent> encoder) {
        var added = new OutputStreamAppender<ILoggingEvent>();
        added.setContext(context);
        added.setEncoder(encoder);
        added.setOutputStream(logged);
        added.start();
        logger().addAppender(added);
        return added;
    }

    private static Logger logger() {
        return (Logger) LoggerFactory.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
    }

    @Test
    void no_key_of_the_relays_file_gives_its_value_away() throws IOException {
        for (String key : TOP_KEYS) {
            readsOrRefuses(key + ": " + quoted(CANARY));
        }
        for (String key : SOURCE_KEYS) {
            readsOrRefuses("sources: [{name: a, db: \"jdbc:h2:mem:x\", " + key + ": " + quoted(CANARY)
                    + "}]\nroutes: [{to: \"stdout:\"}]");
        }
        for (String key : ROUTE_KEYS) {
            readsOrRefuses("sources: [{name: a, db: \"jdbc:h2:mem:x\"}]\nroutes: [{to: \"stdout:\", " + key + ": "
                    + quoted(CANARY) + "}]");
        }
        readsOrRefuses("sources:\n  - name: a\n    password:" + CANARY + "\n");
        readsOrRefuses("sources:\n  - name: a\n    password: \"" + CANARY + "\n  db: x");
        readsOrRefuses("sources: {" + CANARY + ": " + CANARY + ": x");
        readsOrRefuses("sources: *" + CANARY);
        readsOrRefuses("a: 1\na: " + CANARY);
        readsOrRefuses(CANARY);
        assertNothingIsGivenAway();
    }

    @Test
    void no_address_of_a_broker_gives_its_secrets_away() throws IOException {
        Path config = directory.resolve("relay.yaml");
        for (String url : URLS) {
            String with = url.replace("%s", CANARY).replace("%h", HOSTLESS);
            run("relay", "run", "--db", "jdbc:h2:mem:canary", "--to", with, "--once");
            run("doctor", "--db", "jdbc:h2:mem:canary", "--to", with);
            Files.writeString(
                    config,
                    "sources: [{name: a, db: \"jdbc:h2:mem:canary;USER=sa\"}]\nroutes: [{to: " + quoted(with) + "}]\n");
            run("relay", "run", "--config", config.toString(), "--once");
            run("doctor", "--config", config.toString());
            reload(config);
        }
        Path file = Files.writeString(directory.resolve("password"), CANARY + "\n");
        run(
                "relay",
                "run",
                "--db",
                "jdbc:h2:mem:canary",
                "--once",
                "--to",
                "amqp://user@127.0.0.1:1?password-file=" + file);
        run(
                "relay",
                "run",
                "--db",
                "jdbc:h2:mem:canary",
                "--once",
                "--to",
                "amqp://user@127.0.0.1:1?password-env=" + CANARY);
        run(
                "relay",
                "run",
                "--db",
                "jdbc:h2:mem:canary",
                "--once",
                "--to",
                "kafka://127.0.0.1:1?kafka.sasl.jaas.config-file=" + file);
        assertNothingIsGivenAway();
    }

    @Test
    void no_address_of_a_database_gives_its_password_away() throws IOException {
        Path config = directory.resolve("relay.yaml");
        for (String url : DATABASES) {
            String with = url.replace("%s", CANARY).replace("%h", HOSTLESS);
            run("outbox", "stats", "--db", with);
            run("schema", "apply", "--db", with);
            run("outbox", "discard", "--all", "--reason", "test", "--yes", "--db", with);
            run("relay", "run", "--db", with, "--to", "stdout:", "--once");
            run("relay", "run", "--db", with, "--to", "stdout:", "--dry-run");
            run("doctor", "--db", with);
            Files.writeString(config, "sources: [{name: a, db: " + quoted(with) + "}]\nroutes: [{to: \"stdout:\"}]\n");
            run("doctor", "--config", config.toString());
            reload(config);
        }
        Path file = Files.writeString(directory.resolve("password"), CANARY + "\n");
        run("outbox", "stats", "--db", "postgresql://user@127.0.0.1:1/shop", "--password-file", file.toString());
        run("outbox", "stats", "--db", "postgresql://user@127.0.0.1:1/shop", "--pasword=" + CANARY);
        run("outbox", "stats", "--db", "postgresql://user@127.0.0.1:1/shop", "--pasword", CANARY);
        assertNothingIsGivenAway();
    }

    /** Each option of each command, with a secret that was meant for another one. */
    @Test
    void no_option_of_any_command_repeats_its_value() {
        for (List<String> command : leaves(Main.commandLine(), List.of())) {
            CommandLine found = Main.commandLine();
            for (String name : command) {
                found = Objects.requireNonNull(found.getSubcommands().get(name));
            }
            for (var option : found.getCommandSpec().options()) {
                if (option.arity().max() == 0 || UNENDING.contains(command.get(0))) {
                    continue;
                }
                List<String> line = new ArrayList<>(command);
                line.addAll(List.of(option.longestName(), CANARY));
                if (found.getCommandSpec().findOption("--db") != null
                        && !option.longestName().equals("--db")) {
                    line.addAll(List.of("--db", "postgresql://user@127.0.0.1:1/shop"));
                }
                run(line.toArray(String[]::new));
            }
            List<String> line = new ArrayList<>(command);
            line.add(CANARY);
            run(line.toArray(String[]::new));
        }
        assertNothingIsGivenAway();
    }

    private static List<List<String>> leaves(CommandLine command, List<String> path) {
        if (command.getSubcommands().isEmpty()) {
            return List.of(path);
        }
        List<List<String>> leaves = new ArrayList<>();
        command.getSubcommands().forEach((name, sub) -> {
            List<String> longer = new ArrayList<>(path);
            longer.add(name);
            leaves.addAll(leaves(sub, longer));
        });
        return leaves;
    }

    @Test
    void a_file_of_contexts_that_is_wrong_gives_nothing_away() throws IOException {
        Path contexts = directory.resolve("contexts.yaml");
        for (String text : List.of(
                "contexts:\n  a:\n    db: jdbc:h2:mem:x\n    password: \"" + CANARY + "\n",
                "contexts:\n  a:\n    password:" + CANARY + "\n    db: jdbc:h2:mem:x: y\n",
                "contexts: {a: {db: \"postgresql://u:" + CANARY + "@127.0.0.1:1/x\", pasword: " + quoted(CANARY)
                        + "}}\ncurrent: a",
                "contexts: {a: {db: \"postgresql://u@127.0.0.1:1/x\", password: " + quoted(CANARY)
                        + "}}\ncurrent: a")) {
            Files.deleteIfExists(contexts);
            Files.createFile(
                    contexts, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
            Files.writeString(contexts, text);
            String before = System.getProperty("waybill.contexts", "");
            System.setProperty("waybill.contexts", contexts.toString());
            try {
                run("context", "list");
                run("context", "use", "b");
                run("outbox", "stats");
                run("doctor");
            } finally {
                System.setProperty("waybill.contexts", before);
            }
        }
        assertNothingIsGivenAway();
    }

    @Test
    void what_somebody_else_says_is_masked_by_whole_words_only() {
        SecretMask.remember("outbo");
        SecretMask.remember(CANARY);

        assertThat(PlainText.shown("table kafka_outbox, refused outbo, " + CANARY + "! amqp://u:pw@host password=x"))
                .isEqualTo("table kafka_outbox, refused ***, ***! amqp://u:***@host password=***");
        assertThat(PlainText.shown("a\u001b[31mred\u009b2J\u202eb\tc\nd"))
                .isEqualTo("a\\u001b[31mred\\u009b2J\\u202eb\tc\nd");
    }

    private void readsOrRefuses(String yaml) throws IOException {
        Path config = Files.writeString(directory.resolve("relay.yaml"), yaml);
        run("relay", "run", "--config", config.toString(), "--once");
        reload(config);
    }

    /** As a running service does, with what its health says afterwards. */
    private void reload(Path config) {
        var service = new RelayService(Duration.ofMillis(200));
        try {
            service.serve(RelayConfigFile.read(config));
            Eventually.is(() -> assertThat(service.problems().toString()).doesNotContain("it is being started"));
        } catch (WaybillException e) {
            printed.add(String.valueOf(e.getMessage()));
            service.refuse(String.valueOf(e.getMessage()));
        } finally {
            printed.add(service.problems().toString());
            printed.add(service.metrics());
            service.close();
        }
    }

    private void run(String... arguments) {
        Cli cli = Cli.exactly(arguments);
        printed.add(cli.out());
        printed.add(cli.err());
    }

    private void assertNothingIsGivenAway() {
        printed.add(logged.toString(StandardCharsets.UTF_8));
        assertThat(printed).allSatisfy(text -> assertThat(text).doesNotContain(PIECES));
    }

    private static String quoted(String text) {
        return "'" + text.replace("'", "''") + "'";
    }
}
