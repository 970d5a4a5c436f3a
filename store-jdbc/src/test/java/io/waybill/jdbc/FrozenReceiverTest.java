package io.waybill.jdbc;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.waybill.jdbc.schema.JdbcStoreOptions;
import io.waybill.jdbc.sql.Dialect;
import io.waybill.jdbc.sql.Jdbc;
import io.waybill.store.Faults;
import io.waybill.store.inbox.InboxEntry;
import io.waybill.testkit.services.database.MariaDb;
import io.waybill.testkit.services.database.TestDatabase;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** A receiver that stops in the middle of its transaction, as a frozen process does. */
class FrozenReceiverTest {

    private static final Duration BOUND = Duration.ofSeconds(2);
    private static final String HANDLER = "billing";

    static Stream<Arguments> databases() {
        Supplier<TestDatabase> postgres = PostgresWithSchema::newDatabase;
        Supplier<TestDatabase> mariadb = () -> MariaDb.shared().newDatabase();
        return Stream.of(arguments(Named.of("PostgreSQL", postgres)), arguments(Named.of("MariaDB", mariadb)));
    }

    @ParameterizedTest
    @MethodSource("databases")
    @Timeout(60)
    void holds_its_messages_for_the_idle_time_out_and_commits_nothing(Supplier<TestDatabase> databases)
            throws Exception {
        var entries = List.of(new InboxEntry(UUID.randomUUID(), HANDLER));
        var options = JdbcStoreOptions.DEFAULT.withReceivingIdleTimeout(BOUND);
        var threads = Executors.newSingleThreadExecutor();
        var noted = new CountDownLatch(1);
        var thaw = new CountDownLatch(1);
        try (var store = JdbcFixture.with(options, databases.get())) {
            Future<?> frozen = threads.submit(() -> store.transactions().inTransaction(transaction -> {
                store.inboxStore().record(transaction, entries);
                noted.countDown();
                return thaw.await(50, SECONDS);
            }));
            assertThat(noted.await(30, SECONDS)).isTrue();

            assertThat(store.transactions()
                            .<Object, RuntimeException>inTransaction(
                                    transaction -> store.inboxStore().record(transaction, entries)))
                    .as("what another receiver may handle now")
                    .isEqualTo(Set.copyOf(entries));

            thaw.countDown();
            assertThatThrownBy(frozen::get)
                    .satisfies(error -> assertThat(Faults.isOutage(error))
                            .as("the batch comes again: " + error)
                            .isTrue());
        } finally {
            thaw.countDown();
            threads.shutdown();
        }
    }

    @ParameterizedTest
    @MethodSource("databases")
    @Timeout(60)
    void a_connection_does_not_keep_the_time_out(Supplier<TestDatabase> databases) throws Exception {
        var options = JdbcStoreOptions.DEFAULT.withReceivingIdleTimeout(BOUND);
        try (var store = JdbcFixture.with(options, databases.get())) {
            String before = timeout(store);
            store.transactions()
                    .inTransaction(transaction -> store.inboxStore()
                            .record(transaction, List.of(new InboxEntry(UUID.randomUUID(), HANDLER))));

            assertThat(timeout(store)).isEqualTo(before);
        }
    }

    private static String timeout(JdbcFixture store) throws SQLException {
        return store.transactions().inTransaction(transaction -> {
            var connection = transaction.unwrap(Connection.class);
            boolean postgres = Dialect.of(connection) == Dialect.POSTGRESQL;
            return Jdbc.query(
                            connection,
                            postgres
                                    ? "SHOW idle_in_transaction_session_timeout"
                                    : "SELECT @@session.idle_transaction_timeout",
                            none -> {},
                            row -> row.getString(1))
                    .get(0);
        });
    }
}
