package io.waybill.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.waybill.command.CommandNaming;
import io.waybill.it.GuideProcesses.Bank;
import io.waybill.it.GuideProcesses.Example;
import io.waybill.message.PayloadCodec;
import io.waybill.process.state.ProcessInstance;
import io.waybill.runtime.Waybill;
import io.waybill.testkit.services.H2;
import io.waybill.testkit.services.broker.Artemis;
import io.waybill.testkit.services.broker.KafkaNode;
import io.waybill.testkit.services.broker.Rabbit;
import io.waybill.testkit.services.database.MariaDb;
import io.waybill.testkit.services.database.Postgres;
import io.waybill.testkit.services.database.TestDatabase;
import java.math.BigDecimal;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Supplier;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** The guide's processes do the same in one process and over every broker, on every database. */
class GuideProcessesTest {

    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final boolean EVERYWHERE = Boolean.getBoolean("waybill.guide.everywhere");

    private static final Map<String, Supplier<TestDatabase>> DATABASES = new LinkedHashMap<>(Map.of(
            "PostgreSQL", () -> Postgres.shared().newDatabase(),
            "MariaDB", () -> MariaDb.shared().newDatabase(),
            "H2", H2::newDatabase));

    /** A broker, and the database it is tried with when not all are. */
    private enum Over {
        KAFKA("PostgreSQL") {
            @Override
            String url() {
                return "kafka://" + KafkaNode.shared().bootstrapServers();
            }

            @Override
            void createQueue(String name) {
                KafkaNode.shared().createTopic(name, 1, Map.of());
            }
        },
        RABBITMQ("MariaDB") {
            @Override
            String url() {
                return Rabbit.shared().url();
            }

            @Override
            void createQueue(String name) {
                Rabbit.shared().createQueue(name);
            }
        },
        ARTEMIS("H2") {
            @Override
            String url() {
                return Artemis.shared().url().replaceFirst("^tcp:", "jms+artemis:");
            }

            @Override
            void createQueue(String name) {
                Artemis.shared().createQueue(name);
            }
        };

        final String usually;

        Over(String usually) {
            this.usually = usually;
        }

        abstract String url();

        abstract void createQueue(String name);
    }

    @TestFactory
    Stream<DynamicTest> the_processes_of_the_guide_end_as_it_says() {
        var tests = new ArrayList<DynamicTest>();
        DATABASES.forEach((name, database) ->
                tests.add(DynamicTest.dynamicTest("in one process on " + name, () -> inOneProcess(database.get()))));
        for (Over broker : Over.values()) {
            DATABASES.forEach((name, database) -> {
                if (EVERYWHERE || name.equals(broker.usually)) {
                    tests.add(DynamicTest.dynamicTest("over " + broker + " on " + name, () -> over(broker, database)));
                }
            });
        }
        return tests.stream();
    }

    private static void inOneProcess(TestDatabase fresh) throws SQLException {
        try (TestDatabase database = fresh;
                HikariDataSource pool = pool(database);
                Waybill both = Waybill.on(pool)
                        .handlers(Bank::new)
                        .processes(GuideProcesses.definitions())
                        .start()) {
            check(both, pool);
        }
    }

    private static void over(Over broker, Supplier<TestDatabase> fresh) throws SQLException {
        var queues = new HashMap<String, String>();
        for (var definition : GuideProcesses.definitions()) {
            definition.defineProcess().getCommandTypes().forEach(type -> queues.put(type, "BANK"));
        }
        String prefix = "G" + UUID.randomUUID().toString().substring(0, 8);
        var naming = new CommandNaming(prefix, "Q", queues);
        broker.createQueue(prefix + ".BANK.Q");
        broker.createQueue(naming.replyQueue());
        try (TestDatabase ours = fresh.get();
                TestDatabase theirs = fresh.get();
                HikariDataSource pool = pool(ours);
                HikariDataSource workers = pool(theirs);
                Waybill sender = Waybill.on(pool)
                        .commandNaming(naming)
                        .processes(GuideProcesses.definitions())
                        .route(naming.prefix() + ".*.Q", broker.url())
                        .repliesFrom(broker.url())
                        .start();
                Waybill worker = Waybill.on(workers)
                        .commandNaming(naming)
                        .handlers(Bank::new)
                        .commandsFrom(broker.url())
                        .route(naming.replyQueue(), broker.url())
                        .start()) {
            assertThat(worker.isAlive()).isTrue();
            check(sender, workers);
        }
    }

    /** All at once; the rows of the bank are where the handlers are. */
    private static void check(Waybill sender, DataSource bank) throws SQLException {
        try (var connection = bank.getConnection();
                var statement = connection.createStatement()) {
            statement.execute("CREATE TABLE bank (account VARCHAR(40) NOT NULL, what VARCHAR(80) NOT NULL)");
        }
        var started = new LinkedHashMap<Example, UUID>();
        for (Example example : GuideProcesses.examples()) {
            var data = new HashMap<>(example.data());
            data.put("account", example.account());
            data.put("amount", new BigDecimal("100.00"));
            started.put(example, sender.processManager().startProcess(example.type(), example.account(), data));
        }
        for (Map.Entry<Example, UUID> one : started.entrySet()) {
            Example example = one.getKey();
            await().atMost(PATIENCE)
                    .untilAsserted(
                            () -> assertThat(instance(sender, one.getValue()).status())
                                    .as(example + ": " + sender.processManager().explain(one.getValue()))
                                    .isEqualTo(example.end()));
            List<String> effects = effects(bank, example.account());
            assertThat(effects).as(example.toString()).hasSize(example.effects().size());
            for (int i = 0; i < effects.size(); i++) {
                String expected = example.effects().get(i);
                assertThat(effects.get(i)).as(example.toString()).matches(expected.equals("*") ? ".*" : expected);
            }
        }
        UUID saga = sender.processManager().startProcess("Saga", "a7", Map.of());
        assertThat(instance(sender, saga).data())
                .containsEntry("fxContractId", "FX-a7")
                .containsEntry("limitBookedAmount", new BigDecimal("100.00"))
                .containsEntry("exchangeRate", new BigDecimal("1.25"));
    }

    private static ProcessInstance instance(Waybill sender, UUID id) {
        return sender.store().processStore(PayloadCodec.found()).findById(id).orElseThrow();
    }

    private static List<String> effects(DataSource bank, String account) throws SQLException {
        try (var connection = bank.getConnection();
                var query = connection.prepareStatement("SELECT what FROM bank WHERE account = ?")) {
            query.setString(1, account);
            try (var rows = query.executeQuery()) {
                var effects = new ArrayList<String>();
                while (rows.next()) {
                    effects.add(rows.getString(1));
                }
                return effects;
            }
        }
    }

    private static HikariDataSource pool(TestDatabase database) {
        var config = new HikariConfig();
        config.setDataSource(database.dataSource());
        config.setMaximumPoolSize(12);
        return new HikariDataSource(config);
    }
}
