package io.waybill.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.waybill.WaybillException;
import io.waybill.jdbc.sql.JdbcTransaction;
import io.waybill.message.Message;
import io.waybill.store.Transaction;
import io.waybill.store.outbox.ClaimedMessage;
import io.waybill.store.outbox.Lane;
import io.waybill.store.outbox.Lease;
import io.waybill.store.outbox.LeaseStore;
import io.waybill.store.outbox.LeaseStore.LeaseTable;
import io.waybill.store.outbox.Settlements;
import io.waybill.testkit.services.database.MariaDb;
import io.waybill.testkit.services.database.TestDatabase;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A transaction that has read before sees the past. Whatever is decided in it is decided on what is committed now. */
class RepeatableReadTest {

    private static final Duration MINUTE = Duration.ofMinutes(1);

    enum Product {
        MARIADB,
        POSTGRESQL,
        H2;

        TestDatabase newDatabase() {
            return switch (this) {
                case MARIADB -> MariaDb.shared().newDatabase();
                case POSTGRESQL -> PostgresWithSchema.newDatabase();
                case H2 -> io.waybill.testkit.services.H2.newDatabase();
            };
        }
    }

    /** A receiver that gets a partition hears of what the one before it has put aside. On PostgreSQL and H2 it is the default isolation that does. */
    @ParameterizedTest
    @EnumSource(names = "MARIADB")
    void a_key_that_waits_since_the_transaction_began_is_seen(Product product) throws SQLException {
        try (TestDatabase database = product.newDatabase()) {
            JdbcStore store = JdbcStore.on(database.dataSource()).initializeSchema();
            try (Connection reader = reading(database)) {
                store.transactions().inTransaction(transaction -> {
                    store.waitingKeys().add(transaction, "orders", "k");
                    return 0;
                });

                Transaction old = JdbcTransaction.of(reader);
                assertThat(store.waitingKeys().among(old, "orders", List.of("k", "other")))
                        .isEqualTo(Set.of("k"));
                reader.rollback();
            }
        }
    }

    /** Another relay has taken the shard over meanwhile, and its attempt has failed: the key waits for the message. */
    @ParameterizedTest
    @EnumSource
    void a_message_that_waits_for_another_attempt_elsewhere_is_not_taken(Product product) throws SQLException {
        try (TestDatabase database = product.newDatabase()) {
            JdbcStore store = JdbcStore.on(database.dataSource()).initializeSchema();
            store.transactions()
                    .inTransaction(transaction -> store.outbox()
                            .append(Message.event("OrderPlaced", "1")
                                    .to("orders")
                                    .inOrderOf("k")));
            List<Lease> before = lease(store, "before");
            ClaimedMessage message = claim(store, before).get(0);
            try (Connection reader = reading(database)) {
                store.leaseStore().leave("before");
                List<Lease> after = lease(store, "after");
                var failed = Settlements.none();
                failed.retries().add(new Settlements.Retry(message, "not now", Duration.ofHours(1)));
                assertThat(store.outboxStore().settle(after, failed)).isEqualTo(1);

                Transaction old = JdbcTransaction.of(reader);
                assertThatThrownBy(() -> store.outboxStore()
                                .finish(old, () -> store.outboxStore().take(old, before, List.of(message), false)))
                        .isInstanceOf(WaybillException.class);
                reader.rollback();
            }
            assertThat(store.outboxStore().repairKeys(lease(store, "repair"))).isZero();
        }
    }

    private static Connection reading(TestDatabase database) throws SQLException {
        Connection reader = database.dataSource().getConnection();
        reader.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
        reader.setAutoCommit(false);
        for (String table : List.of("outbox", "relay_lease", "waiting_key")) {
            reader.createStatement()
                    .executeQuery("SELECT count(*) FROM " + table)
                    .close();
        }
        return reader;
    }

    private static List<Lease> lease(JdbcStore store, String relay) {
        LeaseTable table = store.leaseStore().renew(relay, ">**", List.of(), MINUTE);
        List<LeaseStore.Wanted> all = table.owners().stream()
                .map(row -> new LeaseStore.Wanted(row, List.of()))
                .toList();
        return store.leaseStore().take(all, relay, MINUTE).stream()
                .map(taken -> new Lease(store.leaseStore().pool(), taken.shard(), taken.token(), false))
                .toList();
    }

    private static List<ClaimedMessage> claim(JdbcStore store, List<Lease> leases) {
        Map<Lane, Integer> limits = new HashMap<>();
        leases.forEach(lease -> limits.put(new Lane(lease.shard(), "orders"), 10));
        return store.outboxStore().claim(limits, 1_000_000).messages();
    }
}
