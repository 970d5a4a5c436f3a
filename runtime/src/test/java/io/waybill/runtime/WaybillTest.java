package io.waybill.runtime;

import static io.waybill.command.IdempotencyKey.idempotencyKey;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.waybill.command.DomainCommand;
import io.waybill.command.PendingReply;
import io.waybill.jdbc.JdbcStore;
import io.waybill.jdbc.sql.Dialect;
import io.waybill.message.Envelope;
import io.waybill.message.Message;
import io.waybill.observe.OutboxListener;
import io.waybill.process.definition.ProcessConfiguration;
import io.waybill.process.graph.ProcessGraph;
import io.waybill.relay.route.RelayOptions;
import io.waybill.store.NoTransactionException;
import io.waybill.testkit.memory.MemoryBroker;
import io.waybill.testkit.services.H2;
import io.waybill.testkit.services.database.Postgres;
import io.waybill.testkit.services.database.TestDatabase;
import java.sql.Connection;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;

/** What is appended and committed is sent, or handled as a command; nothing else is. */
public class WaybillTest {

    private static final RelayOptions LAZY = RelayOptions.DEFAULT.withSweepInterval(Duration.ofMinutes(10));

    private final MemoryBroker broker = new MemoryBroker();

    @Test
    void an_order_and_its_message_are_one_transaction_of_the_callers_connection() throws Exception {
        try (TestDatabase database = H2.newDatabase();
                Waybill waybill = Waybill.on(database.dataSource())
                        .route("orders.*", broker)
                        .start()) {
            append(waybill, database.dataSource(), true);
            append(waybill, database.dataSource(), false);

            await().untilAsserted(() -> assertThat(broker.payloads()).containsExactly("1"));
        }
    }

    @Test
    void a_listener_is_not_told_of_what_a_caller_may_still_roll_back() throws Exception {
        var told = new AtomicInteger();
        OutboxListener counting = new OutboxListener() {
            @Override
            public void appended(List<Envelope> messages) {
                told.addAndGet(messages.size());
            }
        };
        try (TestDatabase database = H2.newDatabase();
                Waybill waybill = Waybill.on(database.dataSource())
                        .route("orders.*", broker)
                        .outboxListener(counting)
                        .start()) {
            append(waybill, database.dataSource(), false);
            append(waybill, database.dataSource(), true);
            assertThat(told).hasValue(0);

            waybill.transactions().inTransaction(transaction -> waybill.outbox().append(order()));
            assertThat(told).hasValue(1);
        }
    }

    @Test
    void a_local_route_leaves_its_destinations_to_this_process_before_a_broker_for_the_rest() {
        try (TestDatabase database = H2.newDatabase();
                Waybill waybill = Waybill.on(database.dataSource())
                        .route("orders.*", "local:")
                        .route("**", broker)
                        .start()) {
            var handled = new ConcurrentLinkedQueue<String>();
            waybill.transactions()
                    .inTransaction(transaction -> waybill.outbox()
                            .append(List.of(
                                    order(), Message.event("BillSent", "2").to("bills.sent"))));
            await().untilAsserted(() -> assertThat(broker.payloads()).containsExactly("2"));

            waybill.subscribe("orders.placed", "billing", String.class, received -> handled.add(received.payload()));

            await().untilAsserted(() -> assertThat(handled).containsExactly("1"));
            assertThat(broker.payloads()).containsExactly("2");
        }
    }

    @Test
    void a_command_runs_in_this_process() {
        try (TestDatabase database = H2.newDatabase();
                Waybill waybill = Waybill.on(database.dataSource())
                        .handlers(new Doubling())
                        .start()) {
            PendingReply reply = waybill.commandBus().send(new DoubleCommand(21), idempotencyKey("request-1"));

            assertThat(reply.await(Duration.ofSeconds(10)).as(Integer.class)).isEqualTo(42);
        }
    }

    /** The guide allows it: a process that handles its own command. */
    public static final class Doublings implements ProcessConfiguration {
        @Override
        public String getProcessType() {
            return "Doublings";
        }

        @Override
        public ProcessGraph defineProcess() {
            return process().startWith(DoubleCommand.class).end();
        }

        public int twice(DoubleCommand command) {
            return 2 * command.number();
        }
    }

    @Test
    void a_definition_of_a_process_may_handle_its_commands() {
        try (TestDatabase database = H2.newDatabase();
                Waybill waybill = Waybill.on(database.dataSource())
                        .processes(new Doublings())
                        .start()) {
            PendingReply reply = waybill.commandBus().send(new DoubleCommand(21), idempotencyKey("request-1"));

            assertThat(reply.await(Duration.ofSeconds(10)).as(Integer.class)).isEqualTo(42);
        }
    }

    @Test
    void an_append_in_another_process_wakes_the_relay_on_postgresql() {
        try (TestDatabase database = Postgres.shared().newDatabase();
                Waybill relay = Waybill.on(database.dataSource())
                        .route("orders.*", broker)
                        .relay(LAZY)
                        .start();
                Waybill application =
                        Waybill.on(database.dataSource()).relays(0).start()) {
            application
                    .transactions()
                    .inTransaction(transaction -> application.outbox().append(order()));
            await().untilAsserted(() -> assertThat(broker.payloads()).hasSize(1));

            application
                    .transactions()
                    .inTransaction(transaction -> application.outbox().append(order()));
            await().untilAsserted(() -> assertThat(broker.payloads()).hasSize(2));
            assertThat(relay.store().dialect()).isEqualTo(Dialect.POSTGRESQL);
        }
    }

    /** As a command line does: it appends once, and ends. */
    @Test
    void one_who_appends_once_wakes_the_relay_before_ending_on_postgresql() {
        try (TestDatabase database = Postgres.shared().newDatabase();
                Waybill relay = Waybill.on(database.dataSource())
                        .route("orders.*", broker)
                        .relay(LAZY)
                        .start()) {
            var store = JdbcStore.on(database.dataSource());
            await().until(() -> !store.relayNodes().isEmpty());
            for (int i = 1; i <= 5; i++) {
                int expected = i;
                store.transactions().inTransaction(transaction -> store.outbox().append(order()));
                store.wakeRelays();
                await().untilAsserted(() -> assertThat(broker.payloads()).hasSize(expected));
            }
            assertThat(relay.store().dialect()).isEqualTo(Dialect.POSTGRESQL);
        }
    }

    @Test
    void a_row_that_cannot_be_read_fails_alone_with_its_key() throws Exception {
        try (TestDatabase database = Postgres.shared().newDatabase();
                Waybill waybill =
                        Waybill.on(database.dataSource()).route("**", broker).start();
                Connection connection = database.dataSource().getConnection();
                var statement = connection.createStatement()) {
            connection.setAutoCommit(false);
            statement.execute("INSERT INTO outbox (destination, partition_key, payload, headers)"
                    + " VALUES ('orders.placed', 'a', '1', 'not json')");
            statement.execute("INSERT INTO outbox (destination, partition_key, payload)"
                    + " VALUES ('orders.placed', 'a', '2'), ('orders.placed', 'b', '3')");
            connection.commit();

            await().untilAsserted(() -> assertThat(broker.payloads()).containsExactly("3"));
            await().untilAsserted(() -> {
                var stats = waybill.store().admin().stats().get(0);
                assertThat(stats.failed()).isEqualTo(1);
                assertThat(stats.held()).isEqualTo(1);
            });
        }
    }

    @Test
    void a_connection_in_auto_commit_mode_is_refused_with_the_remedy() throws Exception {
        try (TestDatabase database = H2.newDatabase();
                Waybill waybill = Waybill.on(database.dataSource()).relays(0).start();
                Connection connection = database.dataSource().getConnection()) {
            assertThatThrownBy(() -> waybill.outbox(connection).append(order()))
                    .isInstanceOf(NoTransactionException.class)
                    .hasMessageContaining("auto-commit")
                    .hasMessageContaining("setAutoCommit(false)");
        }
    }

    private static void append(Waybill waybill, DataSource dataSource, boolean commit) throws Exception {
        try (Connection connection = dataSource.getConnection()) {
            connection.setAutoCommit(false);
            waybill.outbox(connection).append(order());
            if (commit) {
                connection.commit();
            } else {
                connection.rollback();
            }
        }
    }

    public static Message order() {
        return Message.event("OrderPlaced", "1").to("orders.placed").inOrderOf("order-1");
    }

    /** Doubles a number. */
    public record DoubleCommand(int number) implements DomainCommand {}

    /** A service. */
    public static final class Doubling {
        public int twice(DoubleCommand command) {
            return 2 * command.number();
        }
    }
}
