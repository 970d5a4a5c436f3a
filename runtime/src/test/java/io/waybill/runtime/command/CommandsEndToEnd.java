package io.waybill.runtime.command;

import static io.waybill.command.BusinessKey.businessKey;
import static io.waybill.command.IdempotencyKey.idempotencyKey;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.waybill.command.CommandReply;
import io.waybill.command.DomainCommand;
import io.waybill.command.PendingReply;
import io.waybill.message.AppendTo;
import io.waybill.message.MessageType;
import io.waybill.outbox.Outbox;
import io.waybill.relay.route.RelayOptions;
import io.waybill.runtime.Waybill;
import io.waybill.runtime.WaybillBuilder;
import io.waybill.store.Transactions;
import io.waybill.testkit.services.database.TestDatabase;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Commands on a real database, with several senders, several nodes, and connections that are lost before the commit. */
abstract class CommandsEndToEnd {

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final Set<String> lost = ConcurrentHashMap.newKeySet();
    private TestDatabase database;
    private HikariDataSource pool;

    /** Stamps a letter. */
    public record StampCommand(int letter) implements DomainCommand {}

    /** Seals it, which only the new version can. */
    public record SealCommand(int letter) implements DomainCommand {}

    /** A letter was stamped. */
    @MessageType("LetterStamped")
    @AppendTo("letters.stamped")
    public record LetterStamped(int letter) {}

    /** The old version. */
    public class Office {

        final Transactions transactions;

        Office(Transactions transactions) {
            this.transactions = transactions;
        }

        public void stamp(StampCommand command) {
            write("stamp", command.letter());
            if (command.letter() % 3 == 0 && lost.add("stamp " + command.letter())) {
                loseConnection();
            }
        }

        void write(String what, int letter) {
            try (var insert = transactions
                    .current()
                    .unwrap(Connection.class)
                    .prepareStatement("INSERT INTO effect (what, letter) VALUES (?, ?)")) {
                insert.setString(1, what);
                insert.setInt(2, letter);
                insert.executeUpdate();
            } catch (SQLException e) {
                throw new IllegalStateException(e);
            }
        }

        /** As if the process had died before the commit. */
        private void loseConnection() {
            try {
                transactions.current().unwrap(Connection.class).abort(Runnable::run);
            } catch (SQLException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    /** One that tells others. */
    public final class TellingOffice extends Office {

        private final Outbox outbox;

        TellingOffice(Transactions transactions, Outbox outbox) {
            super(transactions);
            this.outbox = outbox;
        }

        @Override
        public void stamp(StampCommand command) {
            outbox.publish(new LetterStamped(command.letter()));
            super.stamp(command);
        }
    }

    /** The new version. */
    public final class NewOffice extends Office {

        NewOffice(Transactions transactions) {
            super(transactions);
        }

        public void seal(SealCommand command) {
            write("seal", command.letter());
        }
    }

    @SuppressWarnings("NullAway.Init")
    CommandsEndToEnd() {}

    abstract TestDatabase newDatabase();

    @BeforeEach
    void start() throws SQLException {
        database = newDatabase();
        var config = new HikariConfig();
        config.setDataSource(database.dataSource());
        config.setMaximumPoolSize(24);
        pool = new HikariDataSource(config);
        try (var connection = pool.getConnection();
                var statement = connection.createStatement()) {
            statement.execute("CREATE TABLE effect (what VARCHAR(20) NOT NULL, letter INT NOT NULL)");
        }
    }

    @AfterEach
    void stop() {
        pool.close();
        database.close();
    }

    private WaybillBuilder node() {
        return Waybill.on(pool).relay(RelayOptions.DEFAULT.withHandlers(4).withLeaseTime(Duration.ofSeconds(3)));
    }

    @Test
    void a_thousand_submissions_of_a_hundred_commands_take_effect_a_hundred_times() throws Exception {
        var random = new Random(20_261_116);
        var senders = Executors.newFixedThreadPool(8);
        try (Waybill one = node().handlers(Office::new).start();
                Waybill two = node().handlers(Office::new).start()) {
            List<Waybill> nodes = List.of(one, two);
            List<Future<UUID>> sent = new ArrayList<>();
            for (int i = 0; i < 1_000; i++) {
                int letter = i < 100 ? i : random.nextInt(100);
                Waybill node = nodes.get(i % 2);
                sent.add(senders.submit(() -> node.commandBus()
                        .accept(
                                new StampCommand(letter),
                                idempotencyKey("letter-" + letter),
                                businessKey("street-" + letter % 7))));
            }
            Set<UUID> ids = new HashSet<>();
            for (Future<UUID> id : sent) {
                ids.add(id.get());
            }
            await().atMost(PATIENCE).until(() -> count("command WHERE status = 'COMPLETED'") == 100);

            assertThat(ids).hasSize(100);
            assertThat(lost).as("connections lost before the commit").hasSize(34);
            assertThat(count("command")).isEqualTo(100);
            assertThat(count("effect")).isEqualTo(100);
            assertThat(count("(SELECT DISTINCT letter FROM effect) letters")).isEqualTo(100);
        } finally {
            senders.shutdownNow();
        }
    }

    @Test
    void a_rolling_deploy_with_two_versions_loses_and_fails_nothing() {
        List<PendingReply> replies = new ArrayList<>();
        try (Waybill old = node().handlers(Office::new).start()) {
            stamp(old, 0, replies);
            try (Waybill next = node().handlers(NewOffice::new).start()) {
                stamp(old, 20, replies);
                stamp(next, 40, replies);
                for (int letter = 0; letter < 30; letter++) {
                    replies.add((letter % 2 == 0 ? old : next)
                            .commandBus()
                            .send(new SealCommand(letter), idempotencyKey("seal-" + letter)));
                }
                old.stop();
                stamp(next, 60, replies);

                assertThat(replies)
                        .allSatisfy(reply ->
                                assertThat(reply.await(PATIENCE).reply()).isInstanceOf(CommandReply.Completed.class));
            }
        }
        assertThat(count("effect")).isEqualTo(110);
        assertThat(count("outbox WHERE status IN ('FAILED', 'HELD', 'PENDING')"))
                .isZero();
    }

    @Test
    void every_subscriber_has_its_effect_of_an_event_once_although_connections_are_lost() {
        List<PendingReply> replies = new ArrayList<>();
        try (Waybill one = tellingNode();
                Waybill two = tellingNode()) {
            stamp(one, 0, replies);
            one.start();
            two.start();
            stamp(two, 20, replies);

            await().atMost(PATIENCE).until(() -> count("effect WHERE what = 'sort'") == 40);
            await().atMost(PATIENCE).until(() -> count("effect WHERE what = 'count'") == 40);
            await().atMost(PATIENCE).until(() -> count("outbox WHERE status IN ('FAILED', 'HELD', 'PENDING')") == 0);
        }
        assertThat(lost).as("connections lost before the commit").hasSize(14 + 40);
        assertThat(count("effect")).isEqualTo(120);
        assertThat(count("(SELECT DISTINCT what, letter FROM effect) effects")).isEqualTo(120);
    }

    /** Not started: what waits in the outbox is for both subscribers. */
    private Waybill tellingNode() {
        Waybill node = node().handlers(TellingOffice::new).build();
        var office = new Office(node.transactions());
        node.subscribe("letters.stamped", "sorting", LetterStamped.class, received -> {
            office.write("sort", received.payload().letter());
            if (lost.add("sort " + received.payload().letter())) {
                office.loseConnection();
            }
        });
        node.subscribe(
                "letters.stamped",
                "counting",
                LetterStamped.class,
                received -> office.write("count", received.payload().letter()));
        return node;
    }

    private static void stamp(Waybill node, int from, List<PendingReply> replies) {
        for (int letter = from; letter < from + 20; letter++) {
            replies.add(node.commandBus().send(new StampCommand(letter), idempotencyKey("stamp-" + letter)));
        }
    }

    private long count(String from) {
        try (var connection = pool.getConnection();
                var statement = connection.createStatement();
                var row = statement.executeQuery("SELECT count(*) FROM " + from)) {
            row.next();
            return row.getLong(1);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }
}
