package io.waybill.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.waybill.command.BusinessKey;
import io.waybill.command.DomainCommand;
import io.waybill.command.IdempotencyKey;
import io.waybill.message.Message;
import io.waybill.process.definition.ProcessConfiguration;
import io.waybill.process.graph.ProcessGraph;
import io.waybill.relay.route.RelayOptions;
import io.waybill.store.Transaction;
import io.waybill.store.Transactions;
import io.waybill.testkit.memory.MemoryBroker;
import io.waybill.testkit.services.database.TestDatabase;
import io.waybill.transport.Deadline;
import io.waybill.transport.SubscriptionOptions;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The answer to one commit of an application is lost: leases, settlements, handlers, the inbox, commands and processes. Everything still
 * happens once, in order, and without anybody's help.
 */
abstract class LostAnswers {

    private static final int ORDERS = 4;
    private static final Duration LEASE = Duration.ofMillis(600);

    abstract TestDatabase newDatabase();

    /** The way to the database that loses an answer. */
    CutDataSource cutting(TestDatabase database) {
        return new CutDataSource(database.dataSource(), database.dataSource(), () -> {});
    }

    /** A step. */
    public record NoteCommand(String what) implements DomainCommand {}

    /** The next step. */
    public record NoteAgainCommand(String what) implements DomainCommand {}

    /** Two steps. */
    static final class Notes implements ProcessConfiguration {
        @Override
        public String getProcessType() {
            return "Notes";
        }

        @Override
        public ProcessGraph defineProcess() {
            return process()
                    .startWith(NoteCommand.class)
                    .then(NoteAgainCommand.class)
                    .end();
        }
    }

    /** Notes what it did. */
    public static final class Notebook {
        private final Transactions transactions;

        Notebook(Transactions transactions) {
            this.transactions = transactions;
        }

        public void note(NoteCommand command) throws SQLException {
            effect(transactions.current(), "first " + command.what());
        }

        public void note(NoteAgainCommand command) throws SQLException {
            effect(transactions.current(), "second " + command.what());
        }
    }

    /** How many commits the scenario has when nothing is lost; about, because relays also commit when nothing happens. */
    final int commits() throws SQLException {
        return run(Integer.MAX_VALUE);
    }

    /** Runs the scenario, loses the answer to its n-th commit, and checks what came of it. Returns how many commits there were. */
    final int run(int n) throws SQLException {
        var published = new MemoryBroker();
        var incoming = new MemoryBroker();
        try (TestDatabase database = newDatabase()) {
            CutDataSource cut = cutting(database);
            var config = new HikariConfig();
            config.setDataSource(cut.dataSource());
            config.setMaximumPoolSize(8);
            try (var pool = new HikariDataSource(config)) {
                Waybill.on(pool).build().close(); // makes the tables
                execute(cut, "CREATE TABLE effect (what VARCHAR(60) NOT NULL)");
                execute(cut, "CREATE TABLE placed (number INT NOT NULL PRIMARY KEY)");
                cut.cutAt(n);
                int before = cut.commits();
                try (Waybill waybill = application(pool, published)) {
                    drive(waybill, cut, incoming);
                    awaitEffects(cut, published);
                }
                assertThat(effects(cut)).as("effects, with answer %s lost", n).doesNotHaveDuplicates();
                assertThat(inOrder(published))
                        .as("published, with answer %s lost", n)
                        .isTrue();
                assertThat(count(cut, "SELECT count(*) FROM outbox WHERE status NOT IN ('DISPATCHED')"))
                        .as("what is left, with answer %s lost", n)
                        .isZero();
                return cut.commits() - before;
            }
        }
    }

    private static Waybill application(HikariDataSource pool, MemoryBroker published) {
        return retried(() -> Waybill.on(pool)
                .handlers(Notebook::new)
                .processes(new Notes())
                .route("orders.*", published)
                .relay(RelayOptions.DEFAULT.withLeaseTime(LEASE).withSweepInterval(Duration.ofMillis(100)))
                .start());
    }

    /** What a client does that does not know whether its commit has succeeded: it looks, or it asks again with the same key. */
    private static void drive(Waybill waybill, CutDataSource cut, MemoryBroker incoming) {
        waybill.subscribe(
                "stock.taken",
                "billing",
                String.class,
                received -> effect(received.transaction(), "local " + received.payload()));
        waybill.subscribe(
                incoming.asBroker(),
                SubscriptionOptions.to("incoming", "billing"),
                String.class,
                received -> effect(received.transaction(), "received " + received.payload()));
        for (int i = 1; i <= ORDERS; i++) {
            int number = i;
            until(() -> isPlaced(cut, number), () -> place(waybill, number));
            incoming.publish(
                    List.of(Message.event("Incoming", String.valueOf(number))
                            .to("incoming")
                            .inOrderOf("k")
                            .seal(UUID::randomUUID)),
                    Deadline.NEVER);
        }
        retried(() -> waybill.commandBus()
                .accept(
                        new NoteCommand("command"),
                        IdempotencyKey.idempotencyKey("request-1"),
                        BusinessKey.businessKey("b-1")));
        retried(() -> waybill.processManager().startProcess("Notes", "notes-1", Map.of("what", "process")));
    }

    private static void place(Waybill waybill, int number) {
        waybill.transactions().inTransaction(transaction -> {
            try (PreparedStatement insert =
                    transaction.unwrap(Connection.class).prepareStatement("INSERT INTO placed VALUES (?)")) {
                insert.setInt(1, number);
                insert.executeUpdate();
            } catch (SQLException e) {
                throw new IllegalStateException(e);
            }
            waybill.outbox()
                    .append(Message.event("OrderPlaced", String.valueOf(number))
                            .to("orders.placed")
                            .inOrderOf("k"));
            return waybill.outbox()
                    .append(Message.event("StockTaken", String.valueOf(number))
                            .to("stock.taken")
                            .inOrderOf("k"));
        });
    }

    private static void effect(Transaction transaction, String what) throws SQLException {
        try (PreparedStatement insert =
                transaction.unwrap(Connection.class).prepareStatement("INSERT INTO effect VALUES (?)")) {
            insert.setString(1, what);
            insert.executeUpdate();
        }
    }

    private static void awaitEffects(CutDataSource cut, MemoryBroker published) {
        await().atMost(Duration.ofSeconds(30)).untilAsserted(() -> {
            assertThat(effects(cut)).hasSizeGreaterThanOrEqualTo(2 * ORDERS + 3);
            assertThat(published.payloads()).contains("1", "2", "3", "4");
            assertThat(count(cut, "SELECT count(*) FROM outbox WHERE status NOT IN ('DISPATCHED')"))
                    .isZero();
            assertThat(count(cut, "SELECT count(*) FROM process_instance WHERE status <> 'SUCCEEDED'"))
                    .isZero();
        });
    }

    /** Repetitions are allowed, but never of something old behind something new that was not repeated too. */
    private static boolean inOrder(MemoryBroker published) {
        List<String> first =
                new ArrayList<>(published.payloads().stream().distinct().toList());
        return first.equals(List.of("1", "2", "3", "4"));
    }

    private static boolean isPlaced(CutDataSource cut, int number) {
        return count(cut, "SELECT count(*) FROM placed WHERE number = " + number) == 1;
    }

    private static void until(BooleanSupplier done, Runnable attempt) {
        while (!done.getAsBoolean()) {
            try {
                attempt.run();
            } catch (RuntimeException e) {
                // Its outcome is not known: look again.
            }
        }
    }

    private static <T> T retried(java.util.function.Supplier<T> work) {
        @Nullable RuntimeException last = null;
        for (int attempt = 0; attempt < 5; attempt++) {
            try {
                return work.get();
            } catch (RuntimeException e) {
                last = e;
            }
        }
        throw new IllegalStateException(last);
    }

    private static List<String> effects(CutDataSource cut) {
        try (Connection connection = cut.uncut();
                var rows = connection.createStatement().executeQuery("SELECT what FROM effect")) {
            List<String> effects = new ArrayList<>();
            while (rows.next()) {
                effects.add(rows.getString(1));
            }
            return effects;
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    private static long count(CutDataSource cut, String sql) {
        try (Connection connection = cut.uncut();
                var rows = connection.createStatement().executeQuery(sql)) {
            rows.next();
            return rows.getLong(1);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void execute(CutDataSource cut, String sql) throws SQLException {
        try (Connection connection = cut.uncut();
                var statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }
}
