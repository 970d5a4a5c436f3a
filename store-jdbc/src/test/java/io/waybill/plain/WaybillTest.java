package io.waybill.plain;

import static io.waybill.command.IdempotencyKey.idempotencyKey;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.waybill.WaybillException;
import io.waybill.command.BusinessKey;
import io.waybill.command.DomainCommand;
import io.waybill.command.PendingReply;
import io.waybill.inbox.ReceivingOptions;
import io.waybill.jdbc.Dialect;
import io.waybill.message.Envelope;
import io.waybill.message.Message;
import io.waybill.message.Payload;
import io.waybill.message.PayloadCodec;
import io.waybill.observe.OutboxListener;
import io.waybill.ops.FailedMessages.Target;
import io.waybill.process.ProcessConfiguration;
import io.waybill.process.ProcessGraph;
import io.waybill.relay.RelayOptions;
import io.waybill.store.FailedSelection;
import io.waybill.store.NoTransactionException;
import io.waybill.store.Selection;
import io.waybill.testkit.MemoryBroker;
import io.waybill.testkit.services.H2;
import io.waybill.testkit.services.Postgres;
import io.waybill.testkit.services.TestDatabase;
import io.waybill.transport.Broker;
import io.waybill.transport.Delivery;
import io.waybill.transport.Headers;
import io.waybill.transport.Publisher;
import io.waybill.transport.Receiver;
import io.waybill.transport.Subscription;
import io.waybill.transport.SubscriptionOptions;
import io.waybill.transport.WireFormat;
import io.waybill.transport.WireMessage;
import java.sql.Connection;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;

class WaybillTest {

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
    void a_subscriber_in_this_process_handles_each_message_once() {
        try (TestDatabase database = H2.newDatabase();
                Waybill waybill = Waybill.on(database.dataSource()).start()) {
            var handled = new ConcurrentLinkedQueue<String>();
            waybill.subscribe("orders.placed", "billing", String.class, received -> handled.add(received.payload()));

            waybill.transactions().inTransaction(transaction -> waybill.outbox().append(order()));

            await().untilAsserted(() -> assertThat(handled).containsExactly("1"));
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
    void several_subscribers_get_each_message_and_do_not_disturb_each_other() {
        try (TestDatabase database = H2.newDatabase();
                Waybill waybill = Waybill.on(database.dataSource())
                        .receiving(ReceivingOptions.DEFAULT.attempts(1))
                        .start()) {
            var handled = new ConcurrentLinkedQueue<String>();
            waybill.subscribe("orders.placed", "billing", String.class, received -> handled.add("billing"));
            waybill.subscribe("orders.placed", "mail", String.class, received -> handled.add("mail"));
            waybill.subscribe("orders.placed", "broken", String.class, received -> {
                throw new IllegalStateException("no paper");
            });

            waybill.transactions().inTransaction(transaction -> waybill.outbox().append(order()));

            await().untilAsserted(() -> assertThat(handled).containsExactlyInAnyOrder("billing", "mail"));
            await().untilAsserted(() -> assertThat(waybill.failedMessages().groups(FailedSelection.all()))
                    .hasSize(1));
        }
    }

    @Test
    void messages_that_are_stored_first_are_handled_from_the_database_once_and_in_order() {
        var source = new HandFedBroker();
        var handled = new ConcurrentLinkedQueue<String>();
        try (TestDatabase database = H2.newDatabase();
                Waybill waybill = Waybill.on(database.dataSource())
                        .receiving(ReceivingOptions.DEFAULT.storeFirst())
                        .start()) {
            waybill.subscribe(
                    source,
                    SubscriptionOptions.to("orders", "billing"),
                    String.class,
                    received -> handled.add(received.message().destination() + " " + received.payload()));
            UUID first = UUID.randomUUID();

            source.deliver("orders", first, "1");
            source.deliver("orders", first, "1");
            source.deliver("orders", UUID.randomUUID(), "2");

            await().untilAsserted(() -> assertThat(handled).containsExactlyInAnyOrder("orders 1", "orders 2"));
        }
    }

    @Test
    void a_message_that_fails_waits_with_its_key_while_the_others_go_on() {
        var source = new HandFedBroker();
        var handled = new ConcurrentLinkedQueue<String>();
        var broken = new AtomicBoolean(true);
        try (TestDatabase database = H2.newDatabase();
                Waybill waybill = Waybill.on(database.dataSource())
                        .receiving(ReceivingOptions.DEFAULT.tries(1))
                        .start()) {
            waybill.subscribe(source, SubscriptionOptions.to("orders", "billing"), String.class, received -> {
                if (received.payload().equals("a1") && broken.getAndSet(false)) {
                    throw new IllegalStateException("no ink");
                }
                handled.add(received.payload());
            });

            for (String message : List.of("a1", "a2", "b1", "a3")) {
                source.deliver("orders", UUID.randomUUID(), message.substring(0, 1), message);
            }

            await().untilAsserted(() -> assertThat(handled).hasSize(4));
            assertThat(handled).containsSubsequence("a1", "a2", "a3");
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

    @Test
    void a_message_from_a_broker_is_read_handled_and_answered_in_one_transaction() {
        var source = new HandFedBroker();
        try (TestDatabase database = H2.newDatabase();
                Waybill waybill = Waybill.on(database.dataSource())
                        .route("invoices.*", broker)
                        .codec(new NumberCodec())
                        .start()) {
            waybill.subscribe(source, SubscriptionOptions.to("orders", "billing"), Integer.class, received -> {
                assertThat(received.connection().getAutoCommit()).isFalse();
                received.outbox()
                        .append(Message.event("InvoiceWritten", received.payload() + 1)
                                .to("invoices.written"));
            });

            source.deliver("orders", UUID.randomUUID(), "41");

            await().untilAsserted(() -> assertThat(broker.payloads()).containsExactly("42"));
        }
        assertThat(source.closed).isTrue();
    }

    @Test
    void a_message_that_failed_is_retried_by_its_handler() {
        var source = new HandFedBroker();
        var handled = new ConcurrentLinkedQueue<UUID>();
        var broken = new AtomicBoolean(true);
        try (TestDatabase database = H2.newDatabase();
                Waybill waybill = Waybill.on(database.dataSource())
                        .receiving(ReceivingOptions.DEFAULT.attempts(1))
                        .start()) {
            waybill.subscribe(source, SubscriptionOptions.to("orders", "billing"), String.class, received -> {
                if (broken.get()) {
                    throw new IllegalStateException("no ink");
                }
                handled.add(received.message().id());
            });
            UUID id = UUID.randomUUID();
            source.deliver("orders", id, "1");
            await().untilAsserted(() -> assertThat(waybill.failedMessages().groups(FailedSelection.all()))
                    .hasSize(1));
            broken.set(false);

            waybill.failedMessages().retry(FailedSelection.all(), Target.HANDLER, "there is ink", done -> {});

            await().untilAsserted(() -> assertThat(handled).containsExactly(id));
            source.deliver("orders", id, "1");
            assertThat(handled).hasSize(1);
        }
    }

    @Test
    void an_inbox_that_forgets_before_the_last_redelivery_is_refused_at_start() {
        try (TestDatabase database = H2.newDatabase()) {
            var builder = Waybill.on(database.dataSource())
                    .inboxRetention(Duration.ofDays(7))
                    .receiving(ReceivingOptions.DEFAULT.redeliveryWindow(Duration.ofDays(14)));

            assertThatThrownBy(builder::start)
                    .isInstanceOf(WaybillException.class)
                    .hasMessageContaining("PT168H")
                    .hasMessageContaining("PT336H")
                    .hasMessageContaining("redelivery window");
        }
    }

    @Test
    void the_inbox_forgets_by_itself_also_where_no_relay_runs() {
        try (TestDatabase database = H2.newDatabase();
                Waybill waybill = Waybill.on(database.dataSource())
                        .relays(0)
                        .inboxRetention(Duration.ofMillis(1))
                        .receiving(ReceivingOptions.DEFAULT.redeliveryWindow(Duration.ZERO))
                        .cleanupEvery(Duration.ofMillis(50))
                        .start()) {
            var source = new HandFedBroker();
            waybill.subscribe(source, SubscriptionOptions.to("orders", "billing"), String.class, received -> {});
            source.deliver("orders", UUID.randomUUID(), "1");

            await().untilAsserted(() -> assertThat(waybill.store().cleanup().countHandled(Duration.ZERO))
                    .isZero());
        }
    }

    @Test
    void finished_commands_are_forgotten_by_themselves() {
        try (TestDatabase database = H2.newDatabase();
                Waybill waybill = Waybill.on(database.dataSource())
                        .handlers(new Doorman())
                        .commandRetention(Duration.ofMillis(1))
                        .processRetention(Duration.ofMillis(1))
                        .cleanupEvery(Duration.ofMillis(50))
                        .start()) {
            UUID id = waybill.commandBus().accept(new KnockCommand(1), idempotencyKey("knock"), BusinessKey.NONE);

            await().untilAsserted(() ->
                    assertThat(waybill.store().commandStore().find(id)).isEmpty());
        }
    }

    @Test
    void commands_that_would_be_forgotten_too_early_are_refused_at_start() {
        try (TestDatabase database = H2.newDatabase()) {
            assertThatThrownBy(Waybill.on(database.dataSource())
                            .commandRetention(Duration.ofDays(7))
                            .commandsFrom("kafka://localhost:9092")
                            .receiving(ReceivingOptions.DEFAULT.redeliveryWindow(Duration.ofDays(14)))::build)
                    .hasMessageContaining("Commands are forgotten after PT168H")
                    .hasMessageContaining("PT336H");
            assertThatThrownBy(Waybill.on(database.dataSource())
                            .processes(new Visit())
                            .commandRetention(Duration.ofDays(20))::build)
                    .hasMessageContaining("commandRetention (PT480H) must be at least processRetention (PT720H)");
        }
    }

    /** Knocks at the door. */
    public record KnockCommand(int times) implements DomainCommand {}

    /** Opens it. */
    public static final class Doorman {
        public void open(KnockCommand command) {}
    }

    private static final class Visit implements ProcessConfiguration {
        @Override
        public String getProcessType() {
            return "Visit";
        }

        @Override
        public ProcessGraph defineProcess() {
            return process().startWith(KnockCommand.class).end();
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

    @Test
    void dispatched_messages_are_removed_when_their_retention_is_over() {
        try (TestDatabase database = H2.newDatabase();
                Waybill waybill = Waybill.on(database.dataSource())
                        .route("**", broker)
                        .retention(Duration.ofMillis(1))
                        .cleanupEvery(Duration.ofMillis(50))
                        .start()) {
            waybill.transactions().inTransaction(transaction -> waybill.outbox().append(order()));
            await().untilAsserted(() -> assertThat(broker.payloads()).hasSize(1));

            await().untilAsserted(() -> assertThat(waybill.store().admin().list(Selection.all(), 0, 10))
                    .isEmpty());
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

    private static Message order() {
        return Message.event("OrderPlaced", "1").to("orders.placed").inOrderOf("order-1");
    }

    /** Delivers what it is told to, on the thread of the test. */
    /** Doubles a number. */
    public record DoubleCommand(int number) implements DomainCommand {}

    /** A service. */
    public static final class Doubling {
        public int twice(DoubleCommand command) {
            return 2 * command.number();
        }
    }

    private static final class HandFedBroker implements Broker {

        private Receiver receiver = batch -> {};
        private boolean closed;

        @Override
        public Subscription subscribe(SubscriptionOptions options, Receiver receiver) {
            this.receiver = receiver;
            return () -> closed = true;
        }

        void deliver(String source, UUID id, String payload) {
            deliver(source, id, "", payload);
        }

        void deliver(String source, UUID id, String key, String payload) {
            var message = new WireMessage(Map.of(Headers.MESSAGE_ID, id.toString()), payload.getBytes(UTF_8));
            try {
                receiver.receive(List.of(new Delivery(source, key, "", message)));
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        }

        @Override
        public Publisher publisher(String relay, WireFormat format) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void fence(String relay) {}

        @Override
        public void close() {}
    }

    private static final class NumberCodec implements PayloadCodec {

        @Override
        public Payload encode(Object value) {
            return Payload.text(value.toString());
        }

        @Override
        public <T> T decode(Payload payload, Class<T> type) {
            return type.cast(Integer.valueOf(payload.asText()));
        }
    }
}
