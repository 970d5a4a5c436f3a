package io.waybill.runtime;

import static io.waybill.runtime.WaybillTest.order;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.waybill.inbox.Handler;
import io.waybill.inbox.ReceivingOptions;
import io.waybill.message.Message;
import io.waybill.message.Payload;
import io.waybill.message.PayloadCodec;
import io.waybill.ops.FailedMessages.Target;
import io.waybill.store.failed.FailedSelection;
import io.waybill.testkit.memory.MemoryBroker;
import io.waybill.testkit.services.H2;
import io.waybill.testkit.services.database.MariaDb;
import io.waybill.testkit.services.database.TestDatabase;
import io.waybill.transport.Deadline;
import io.waybill.transport.SubscriptionOptions;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;

/** Handlers of messages, in this process and behind a broker. */
class SubscribingTest {

    private final MemoryBroker broker = new MemoryBroker();
    private final MemoryBroker source = new MemoryBroker();

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
        var handled = new ConcurrentLinkedQueue<String>();
        try (TestDatabase database = H2.newDatabase();
                Waybill waybill = Waybill.on(database.dataSource())
                        .receiving(ReceivingOptions.DEFAULT.storeFirst())
                        .start()) {
            subscribe(waybill, received -> handled.add(received.message().destination() + " " + received.payload()));
            UUID first = UUID.randomUUID();

            deliver(incoming("1").id(first));
            deliver(incoming("1").id(first));
            deliver(incoming("2"));

            await().untilAsserted(() -> assertThat(handled).containsExactlyInAnyOrder("orders 1", "orders 2"));
        }
    }

    @Test
    void messages_that_are_stored_first_on_mariadb_are_handled_once_and_in_order_large_ones_too() {
        var handled = new ConcurrentLinkedQueue<String>();
        try (TestDatabase database = MariaDb.shared().newDatabase();
                Waybill waybill = Waybill.on(database.dataSource())
                        .receiving(ReceivingOptions.DEFAULT.storeFirst())
                        .start()) {
            subscribe(waybill, received -> handled.add(received.payload().strip()));
            for (int i = 0; i < 200; i++) {
                String padding = " ".repeat(i % 50 == 7 ? 1_200_000 : 0);
                deliver(incoming(Integer.toString(i) + padding).inOrderOf("key-" + i % 5));
            }
            await().atMost(Duration.ofSeconds(60)).until(() -> handled.size() >= 200);
        }
        for (int key = 0; key < 5; key++) {
            int remainder = key;
            assertThat(handled.stream().map(Integer::valueOf).filter(number -> number % 5 == remainder))
                    .hasSize(40)
                    .isSorted();
        }
    }

    @Test
    void one_id_from_two_topics_is_one_message_for_a_group() {
        var handled = new ConcurrentLinkedQueue<String>();
        UUID id = UUID.randomUUID();
        try (TestDatabase database = H2.newDatabase();
                Waybill waybill = Waybill.on(database.dataSource()).start()) {
            for (String topic : List.of("orders", "orders.copy")) {
                waybill.subscribe(
                        source.asBroker(),
                        SubscriptionOptions.to(topic, "billing"),
                        String.class,
                        received -> handled.add(received.payload()));
            }
            deliver(incoming("1").id(id));
            deliver(Message.event("OrderPlaced", "1").to("orders.copy").id(id));
            deliver(Message.event("OrderPlaced", "2").to("orders.copy"));

            await().untilAsserted(() -> assertThat(handled).containsExactlyInAnyOrder("1", "2"));
        }
    }

    @Test
    void a_message_that_fails_waits_with_its_key_while_the_others_go_on() {
        var handled = new ConcurrentLinkedQueue<String>();
        var broken = new AtomicBoolean(true);
        try (TestDatabase database = H2.newDatabase();
                Waybill waybill = Waybill.on(database.dataSource())
                        .receiving(ReceivingOptions.DEFAULT.tries(1))
                        .start()) {
            subscribe(waybill, failingIf(message -> message.equals("a1") && broken.getAndSet(false), handled));

            for (String message : List.of("a1", "a2", "b1", "a3")) {
                deliver(incoming(message).inOrderOf(message.substring(0, 1)));
            }

            await().untilAsserted(() -> assertThat(handled).hasSize(4));
            assertThat(handled).containsSubsequence("a1", "a2", "a3");
        }
    }

    @Test
    void a_message_from_a_broker_is_read_handled_and_answered_in_one_transaction() {
        try (TestDatabase database = H2.newDatabase();
                Waybill waybill = Waybill.on(database.dataSource())
                        .route("invoices.*", broker)
                        .codec(new NumberCodec())
                        .start()) {
            waybill.subscribe(
                    source.asBroker(), SubscriptionOptions.to("orders", "billing"), Integer.class, received -> {
                        assertThat(received.connection().getAutoCommit()).isFalse();
                        received.outbox()
                                .append(Message.event("InvoiceWritten", received.payload() + 1)
                                        .to("invoices.written"));
                    });

            deliver(incoming("41"));

            await().untilAsserted(() -> assertThat(broker.payloads()).containsExactly("42"));
        }
        assertThat(Thread.getAllStackTraces().keySet())
                .extracting(Thread::getName)
                .as("its subscription has ended with it")
                .noneMatch(name -> name.startsWith("waybill-memory-orders"));
    }

    @Test
    void a_message_that_failed_is_retried_by_its_handler() {
        var handled = new ConcurrentLinkedQueue<String>();
        var broken = new AtomicBoolean(true);
        try (TestDatabase database = H2.newDatabase();
                Waybill waybill = Waybill.on(database.dataSource())
                        .receiving(ReceivingOptions.DEFAULT.attempts(1))
                        .start()) {
            subscribe(waybill, failingIf(message -> broken.get(), handled));
            UUID id = UUID.randomUUID();
            deliver(incoming("1").id(id));
            await().untilAsserted(() -> assertThat(waybill.failedMessages().groups(FailedSelection.all()))
                    .hasSize(1));
            broken.set(false);

            waybill.failedMessages().retry(FailedSelection.all(), Target.HANDLER, "there is ink", done -> {});

            await().untilAsserted(() -> assertThat(handled).containsExactly("1"));
            deliver(incoming("1").id(id));
            deliver(incoming("2"));
            await().untilAsserted(() -> assertThat(handled).containsExactly("1", "2"));
        }
    }

    private void subscribe(Waybill waybill, Handler<String> handler) {
        waybill.subscribe(source.asBroker(), SubscriptionOptions.to("orders", "billing"), String.class, handler);
    }

    private static Handler<String> failingIf(Predicate<String> broken, Collection<String> handled) {
        return received -> {
            if (broken.test(received.payload())) {
                throw new IllegalStateException("no ink");
            }
            handled.add(received.payload());
        };
    }

    private static Message incoming(String payload) {
        return Message.event("OrderPlaced", payload).to("orders").as("text/plain");
    }

    private void deliver(Message message) {
        source.publish(List.of(message.seal(UUID::randomUUID)), Deadline.NEVER);
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
