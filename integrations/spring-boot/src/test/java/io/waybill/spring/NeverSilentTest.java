package io.waybill.spring;

import static io.waybill.command.BusinessKey.businessKey;
import static io.waybill.command.IdempotencyKey.idempotencyKey;
import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.stream.Collectors.toSet;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.waybill.command.CommandBus;
import io.waybill.command.DomainCommand;
import io.waybill.inbox.ReceivingOptions;
import io.waybill.inbox.SubscribeTo;
import io.waybill.jdbc.JdbcStore;
import io.waybill.message.Message;
import io.waybill.observe.WaitingItem.Kind;
import io.waybill.ops.FailedMessages;
import io.waybill.outbox.Outbox;
import io.waybill.process.ProcessManager;
import io.waybill.process.definition.ProcessConfiguration;
import io.waybill.process.graph.ProcessGraph;
import io.waybill.runtime.Waybill;
import io.waybill.runtime.WaybillBuilder;
import io.waybill.store.failed.FailedSelection;
import io.waybill.store.outbox.LeaseStore;
import io.waybill.testkit.memory.MemoryBroker;
import io.waybill.testkit.services.database.Postgres;
import io.waybill.testkit.services.database.TestDatabase;
import io.waybill.transport.Outcome;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceTransactionManagerAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.JdbcTemplateAutoConfiguration;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.jdbc.core.JdbcTemplate;

/** Everything that can wait is brought about, and then read where people read: in the log, in health, in a scrape, on the command line. */
final class NeverSilentTest {

    private static final Duration SOON = Duration.ofSeconds(20);

    /** Of the relay that has died: longer than a context takes to start on a busy machine. */
    private static final Duration LEASE_TIME = Duration.ofSeconds(20);

    @TempDir
    Path directory;

    private final ListAppender<ILoggingEvent> log = new ListAppender<>();
    private final Logger logger = (Logger) LoggerFactory.getLogger("io.waybill");
    private TestDatabase database;

    @SuppressWarnings("NullAway.Init")
    NeverSilentTest() {}

    @BeforeEach
    void listen() {
        database = Postgres.shared().newDatabase();
        logger.setLevel(Level.INFO);
        log.start();
        logger.addAppender(log);
    }

    @AfterEach
    void stopListening() {
        logger.detachAppender(log);
        logger.setLevel(null);
        Slow.LET_GO.countDown();
        database.close();
    }

    @Test
    void what_waits_says_so_in_the_log_in_health_in_a_scrape_and_on_the_command_line() {
        aRelayDies();
        new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(
                        DataSourceAutoConfiguration.class,
                        DataSourceTransactionManagerAutoConfiguration.class,
                        JdbcTemplateAutoConfiguration.class,
                        WaybillAutoConfiguration.class,
                        WaybillHealthAutoConfiguration.class,
                        WaybillMetricsAutoConfiguration.class))
                .withBean(Custom.class)
                .withBean(Slow.class)
                .withBean(Failing.class)
                .withBean(Works.class)
                .withBean(Asking.class)
                .withBean(Outer.class)
                .withPropertyValues(
                        "spring.datasource.url=" + database.jdbcUrl(),
                        "spring.datasource.username=" + database.user(),
                        "spring.datasource.password=" + database.password(),
                        "waybill.routes[0].pattern=APP.CMD.ASK.Q",
                        "waybill.routes[0].url=file:" + directory.resolve("asked.ndjson"))
                .run(context -> {
                    assertThat(context).hasNotFailed();
                    shards(context);
                    bringAbout(context);
                    everythingIsTold(context);
                    endSome(context);
                });
    }

    /** It has all shards, and does not renew them. */
    private void aRelayDies() {
        LeaseStore leases =
                JdbcStore.on(database.dataSource()).initializeSchema().leaseStore();
        var table = leases.renew("relay-dead", ">**", List.of(), LEASE_TIME);
        leases.take(
                table.owners().stream()
                        .map(row -> new LeaseStore.Wanted(row, List.of()))
                        .toList(),
                "relay-dead",
                LEASE_TIME);
    }

    private void shards(AssertableApplicationContext context) {
        var registry = registry(context);
        await().atMost(SOON)
                .untilAsserted(() -> assertThat(waits(context))
                        .anyMatch(wait ->
                                wait.startsWith("shard ") && wait.contains("relay-dead holds 64 of 64 shards")));
        await().atMost(SOON).untilAsserted(() -> assertThat(commandLine()).contains("shard relay-dead"));
        assertThat(registry.get("waybill.waiting").tag("kind", "shard").gauge().value())
                .isPositive();
        assertThat(logged("WB-117")).hasSize(1);
        await().atMost(LEASE_TIME.plus(SOON))
                .untilAsserted(() -> assertThat(logged("WB-127")).anyMatch(line -> line.contains("shards")));
        // Until the relay has found them harmless, their messages go one by one.
        await().during(Duration.ofMillis(1_500))
                .atMost(SOON)
                .untilAsserted(() -> assertThat(context.getBean(Waybill.class).waiting())
                        .noneMatch(wait -> wait.kind() == Kind.SHARD));
    }

    private static void bringAbout(AssertableApplicationContext context) {
        var waybill = context.getBean(Waybill.class);
        var outbox = context.getBean(Outbox.class);
        waybill.transactions().inTransaction(transaction -> {
            outbox.append(message("nowhere.yet", ""));
            outbox.append(message("down.orders", ""));
            outbox.append(message("refused.orders", "key-1"));
            outbox.append(message("slow.mails", ""));
            outbox.append(message("failing.mails", ""));
            return outbox;
        });
        context.getBean(CommandBus.class).accept(new AskCommand("o-1"), idempotencyKey("ask-1"), businessKey("o-1"));
        var processes = context.getBean(ProcessManager.class);
        processes.startProcess("Asking", "a-1", Map.of("order", "o-2"));
        processes.startProcess("Outer", "p-1", Map.of("order", "o-3"));
        UUID gone = processes.startProcess("Asking", "g-1", Map.of("order", "o-4"));
        var jdbc = context.getBean(JdbcTemplate.class);
        // Something is due for it, and nobody has its definition any more.
        jdbc.update(
                "UPDATE process_instance SET process_type = 'Gone', due_at = now() - INTERVAL '1 minute' WHERE process_id = ?",
                gone);
        jdbc.update(
                "INSERT INTO operation_log (operation_id, started_at, operator, database_user, command, reason, result)"
                        + " VALUES (gen_random_uuid(), now() - INTERVAL '1 hour', 'ann', 'app', 'waybill outbox discard', 'old', '')");
    }

    private void everythingIsTold(AssertableApplicationContext context) {
        Set<String> kinds = Arrays.stream(Kind.values())
                .filter(kind -> kind != Kind.SHARD)
                .map(Kind::word)
                .collect(toSet());
        var registry = registry(context);
        await().atMost(SOON).untilAsserted(() -> {
            assertThat(kinds)
                    .as("health")
                    .allMatch(kind -> waits(context).stream().anyMatch(wait -> wait.startsWith(kind + " ")));
            assertThat(kinds)
                    .as("log")
                    .allMatch(kind ->
                            logged("WB-126").stream().anyMatch(line -> line.contains("Waiting: " + kind + " ")));
            assertThat(kinds)
                    .as("scrape")
                    .allMatch(kind -> registry.get("waybill.waiting")
                                    .tag("kind", kind)
                                    .gauge()
                                    .value()
                            > 0);
        });
        String told = commandLine();
        assertThat(kinds).as(told).allMatch(kind -> told.lines().anyMatch(line -> line.startsWith(kind + " ")));
        assertThat(told)
                .contains("destination nowhere.yet, for ", "message refused.orders (retrying)", "such as key-1")
                .contains("handler failing", "reply Ask", "step Asking.Ask", "child Outer.Asking", "timer Gone")
                .contains("operation waybill outbox discard", "-> ends when ");
        assertThat(waits(context))
                .as("known to this process alone")
                .anyMatch(wait -> wait.startsWith("destination down.orders ") && wait.contains("no route to host"))
                .anyMatch(wait -> wait.startsWith("handler slow.mails ") && wait.contains("at work with message"));
        assertThat(logged("WB-102")).hasSize(1);
        assertThat(logged("WB-126").stream().distinct()).as("each is said once").hasSameSizeAs(logged("WB-126"));
    }

    private void endSome(AssertableApplicationContext context) {
        context.getBean(JdbcTemplate.class).update("UPDATE operation_log SET ended_at = now()");
        context.getBean(FailedMessages.class).discard(FailedSelection.all(), "not wanted", done -> {});
        Custom.BROKER.recovers();
        Slow.LET_GO.countDown();

        await().atMost(SOON).untilAsserted(() -> {
            assertThat(logged("WB-127"))
                    .anyMatch(line -> line.contains("operation waybill outbox discard is no longer waiting"))
                    .anyMatch(line -> line.contains("handler failing"))
                    .anyMatch(line -> line.contains("handler slow.mails"))
                    .anyMatch(line -> line.contains("message refused.orders (retrying)"));
            assertThat(logged("WB-128")).anyMatch(line -> line.contains("down.orders accepts messages again"));
            assertThat(waits(context))
                    .as("health, which counts every five seconds")
                    .noneMatch(wait -> wait.startsWith("operation "));
        });
    }

    private static Message message(String destination, String key) {
        Message message = Message.event("Placed", "o-1").as("text/plain").to(destination);
        return key.isEmpty() ? message : message.inOrderOf(key);
    }

    private List<String> logged(String code) {
        return List.copyOf(log.list).stream()
                .map(ILoggingEvent::getFormattedMessage)
                .filter(line -> line.startsWith(code))
                .toList();
    }

    private static SimpleMeterRegistry registry(AssertableApplicationContext context) {
        var registry = new SimpleMeterRegistry();
        context.getBean(MeterBinder.class).bindTo(registry);
        return registry;
    }

    @SuppressWarnings("unchecked")
    private static List<String> waits(AssertableApplicationContext context) {
        var health = context.getBean("waybillReadinessHealthIndicator", HealthIndicator.class)
                .health();
        return (List<String>) Objects.requireNonNull(
                Objects.requireNonNull(health).getDetails().get("waits"));
    }

    /** As an operator runs it, in a process of its own. */
    private String commandLine() {
        try {
            Process process = new ProcessBuilder(
                            Path.of(System.getProperty("java.home"), "bin", "java")
                                    .toString(),
                            "-XX:TieredStopAtLevel=1",
                            "-cp",
                            System.getProperty("java.class.path"),
                            "io.waybill.server.Main",
                            "waiting",
                            "--longer-than",
                            "1",
                            "--db",
                            database.jdbcUrl()
                                    .substring("jdbc:".length())
                                    .replaceFirst("//", "//" + database.user() + "@"))
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            String told = new String(process.getInputStream().readAllBytes(), UTF_8);
            assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
            return told;
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    /** Asks somebody who never answers. */
    public record AskCommand(String order) implements DomainCommand {}

    /** Is done at once. */
    public record DoCommand(String order) implements DomainCommand {}

    /** Handles what can be handled. */
    public static class Works {
        public void on(DoCommand command) {}
    }

    /** Waits for an answer. */
    static final class Asking implements ProcessConfiguration {
        @Override
        public String getProcessType() {
            return "Asking";
        }

        @Override
        public ProcessGraph defineProcess() {
            return process().startWith(AskCommand.class).end();
        }
    }

    /** Waits for another process. */
    static final class Outer implements ProcessConfiguration {
        @Override
        public String getProcessType() {
            return "Outer";
        }

        @Override
        public ProcessGraph defineProcess() {
            return process().startWith(DoCommand.class).thenProcess("Asking").end();
        }
    }

    /** Takes its time. */
    public static class Slow {
        static final CountDownLatch LET_GO = new CountDownLatch(1);

        @SubscribeTo(value = "slow.mails", handler = "slow")
        public void on(String mail) throws InterruptedException {
            LET_GO.await();
        }
    }

    /** Cannot do it. */
    public static class Failing {
        @SubscribeTo(value = "failing.mails", handler = "failing")
        public void on(String mail) {
            throw new IllegalStateException("no ink");
        }
    }

    /** One destination is away, another refuses. */
    static final class Custom implements WaybillCustomizer {
        static final MemoryBroker BROKER = new MemoryBroker();

        @Override
        public void customize(WaybillBuilder builder) {
            BROKER.answers(message -> message.destination().startsWith("down")
                    ? new Outcome.Unavailable("no route to host")
                    : new Outcome.Refused("malformed"));
            builder.warnAfter(Duration.ofSeconds(1))
                    .receiving(ReceivingOptions.DEFAULT.attempts(1))
                    .route("down.*", BROKER)
                    .route("refused.*", BROKER);
        }
    }
}
