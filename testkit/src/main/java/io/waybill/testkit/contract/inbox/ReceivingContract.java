package io.waybill.testkit.contract.inbox;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.waybill.WaybillException;
import io.waybill.inbox.ReceivingOptions;
import io.waybill.inbox.Subscriber;
import io.waybill.inbox.receive.BatchReceiver;
import io.waybill.message.MessageTypes;
import io.waybill.message.Payload;
import io.waybill.message.PayloadCodec;
import io.waybill.observe.InboxListener;
import io.waybill.store.failed.FailedMessage;
import io.waybill.transport.Delivery;
import io.waybill.transport.wire.Headers;
import io.waybill.transport.wire.WireMessage;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** What holds when messages are received from a broker that may deliver them again. */
public abstract class ReceivingContract extends ReceivingScenario {

    /** How many messages the receivers that crash get, each twice. */
    private static final int MESSAGES = Integer.getInteger("waybill.receive.messages", 10_000);

    @Test
    void a_batch_takes_effect_in_its_order_and_once() {
        List<Delivery> batch = orders("1", "2", "3");
        var receiving = receiving(invoice());

        receiving.receive(batch);
        receiving.receive(batch);
        receiving.receive(batch.subList(0, 1));

        assertThat(invoices()).containsExactly("1", "2", "3");
        assertThat(events)
                .containsExactly("received 3", "handled 3", "received 3", "duplicate 3", "received 1", "duplicate 1");
    }

    @Test
    void a_receiver_that_stops_begins_nothing_more_and_hands_its_batch_back() {
        List<Delivery> batch = orders("1", "2", "3");
        var handled = new AtomicInteger();
        List<BatchReceiver> stopping = new ArrayList<>();
        stopping.add(receiving(received -> {
            handled.incrementAndGet();
            stopping.get(0).stop();
            invoice().handle(received);
        }));

        assertThatThrownBy(() -> stopping.get(0).receive(batch)).isInstanceOf(WaybillException.class);
        assertThat(handled).as("the one that was being handled").hasValue(1);
        assertThat(invoices()).isEmpty();

        receiving(invoice()).receive(batch);
        assertThat(invoices()).containsExactly("1", "2", "3");
    }

    @Test
    void a_message_that_is_twice_in_a_batch_takes_effect_once() {
        List<Delivery> batch = new ArrayList<>(orders("1", "2"));
        batch.add(batch.get(0));

        receiving(invoice()).receive(batch);

        assertThat(invoices()).containsExactly("1", "2");
        assertThat(events).containsExactly("received 3", "handled 2", "duplicate 1");
    }

    @Test
    void one_that_keeps_failing_is_recorded_as_failed_and_the_others_take_effect_in_order() {
        var tries = new AtomicInteger();
        List<Delivery> batch = orders("1", "2", "3", "4");
        var receiving = receiving(received -> {
            if (received.payload().equals("3")) {
                tries.incrementAndGet();
            }
            invoiceUnless("3").handle(received);
        });

        receiving.receive(batch);
        receiving.receive(batch);

        assertThat(invoices()).containsExactly("1", "2", "4");
        assertThat(tries).as("once with the batch, then three times alone").hasValue(4);
        assertThat(events).contains("retried 3 after 1", "retried 3 after 2", "failed 3 after 3", "duplicate 4");
        FailedMessage failed = failed().get(0);
        assertThat(failed()).hasSize(1);
        assertThat(failed.handler()).isEqualTo(BILLING);
        assertThat(failed.source()).isEqualTo(ORDERS);
        assertThat(failed.attempts()).isEqualTo(3);
        assertThat(failed.cause().kind()).isEqualTo("IllegalStateException");
        assertThat(failed.cause().error()).isEqualTo("no ink for 3");
        assertThat(failed.cause().stack()).contains("ReceivingScenario");
        assertThat(failed.message().partitionKey()).isEqualTo("key-3");
        assertThat(failed.message().payload()).isEqualTo(Payload.text("3"));
        assertThat(failed.message().headers()).containsEntry("channel", "web");
    }

    @Test
    void many_that_fail_in_one_batch_keep_none_of_the_others_back() {
        String[] numbers = new String[100];
        for (int i = 0; i < numbers.length; i++) {
            numbers[i] = String.valueOf(i);
        }

        receiving(received -> {
                    invoice().handle(received);
                    if (received.payload().length() == 1) {
                        throw new IllegalStateException("no ink");
                    }
                })
                .receive(orders(numbers));

        assertThat(invoices()).hasSize(90).startsWith("10", "11", "12");
        assertThat(failed()).hasSize(10);
    }

    @Test
    void a_key_goes_on_behind_a_message_that_fails_at_once() {
        receiving(invoiceUnless("1"))
                .receive(List.of(delivery(UUID.randomUUID(), "a", "1"), delivery(UUID.randomUUID(), "a", "2")));

        assertThat(invoices()).containsExactly("2");
        assertThat(failed()).hasSize(1);
    }

    @Test
    void bytes_that_nobody_can_read_fail_at_once_and_keep_nobody_back() {
        byte[] bytes = {(byte) 0xC3, 0, 0x28};
        var headers = Map.of(Headers.CONTENT_TYPE, "application/json", "nul", "a\0b");
        var unreadable = new Delivery(ORDERS, "k\0", "orders-0@17", new WireMessage(headers, bytes));
        List<Delivery> batch = new ArrayList<>(orders("1", "2"));
        batch.add(1, unreadable);
        var receiving = receiving(invoice());

        receiving.receive(batch);
        receiving.receive(batch);

        assertThat(invoices()).containsExactly("1", "2");
        assertThat(events).contains("handled 2", "duplicate 3");
        assertThat(failed()).hasSize(1);
        assertThat(failed().get(0).message().payload()).isEqualTo(Payload.binary(bytes));
        assertThat(failed().get(0).message().headers()).containsEntry("nul", "a\0b");
        assertThat(failed().get(0).attempts()).isEqualTo(1);
    }

    @Test
    void events_with_the_same_id_from_two_sources_are_two_events() {
        List<Delivery> batch = new ArrayList<>();
        for (String id : List.of("1", UUID.randomUUID().toString())) {
            for (String source : List.of("/till", "/web")) {
                var headers = Map.of("ce_id", id, "ce_source", source, "content-type", "text/plain");
                batch.add(new Delivery(
                        ORDERS,
                        "",
                        "",
                        new WireMessage(headers, String.valueOf(batch.size()).getBytes(UTF_8))));
            }
        }
        var receiving = receiving(invoice());

        receiving.receive(batch);
        receiving.receive(batch);

        assertThat(invoices()).containsExactly("0", "1", "2", "3");
        assertThat(events).containsExactly("received 4", "handled 4", "received 4", "duplicate 4");
    }

    @Test
    void a_type_without_a_class_fails_at_once_and_says_what_is_known() {
        var types = MessageTypes.of().with("OrderCancelled", String.class);
        var subscriber = Subscriber.of(BILLING, types, PayloadCodec.found(), received -> {});

        receiving(ReceivingOptions.DEFAULT, subscriber, InboxListener.NONE).receive(orders("1"));

        assertThat(failed().get(0).cause().error()).contains("'OrderPlaced'", "Known are 'OrderCancelled'");
    }

    @Test
    void a_database_that_is_away_is_no_fault_of_the_message() {
        List<Delivery> batch = orders("1", "2");
        var away = new AtomicInteger(1);
        var receiving = receiving(received -> {
            if (received.payload().equals("2") && away.getAndDecrement() > 0) {
                throw new SQLException("Connection reset", "08006");
            }
            invoice().handle(received);
        });

        assertThatThrownBy(() -> receiving.receive(batch)).hasRootCauseMessage("Connection reset");
        assertThat(invoices()).isEmpty();
        assertThat(failed()).isEmpty();

        receiving.receive(batch);
        assertThat(invoices()).containsExactly("1", "2");
    }

    @Test
    void a_victim_of_a_deadlock_is_simply_repeated() {
        var victims = new AtomicInteger(6);
        var receiving = receiving(received -> {
            if (victims.getAndDecrement() > 0) {
                throw new WaybillException("Could not write", new SQLException("Deadlock", "40001"));
            }
            invoice().handle(received);
        });

        receiving.receive(orders("1"));

        assertThat(invoices()).containsExactly("1");
        assertThat(events).containsExactly("received 1", "handled 1");
    }

    @Test
    void a_listener_that_throws_changes_nothing() {
        var throwing = new InboxListener() {
            @Override
            public void received(String handler, int messages) {
                throw new IllegalStateException("full");
            }
        };

        receiving(ReceivingOptions.DEFAULT, Subscriber.ofText(BILLING, invoice()), throwing)
                .receive(orders("1"));

        assertThat(invoices()).containsExactly("1");
    }

    @Test
    void receivers_that_crash_at_random_let_every_message_take_effect_once() throws Exception {
        var broker = new CrashyBroker(MESSAGES, new Random(7));
        Set<String> tried = ConcurrentHashMap.newKeySet();

        broker.deliverTo(
                4,
                random -> receiving(
                        ReceivingOptions.DEFAULT,
                        Subscriber.ofText(BILLING, received -> {
                            invoice().handle(received);
                            tried.add(received.payload());
                            if (random.nextInt(200) == 0) {
                                store.cut(received.transaction());
                                throw new CrashyBroker.Crash();
                            }
                        }),
                        InboxListener.NONE));

        assertThat(tried).hasSize(MESSAGES);
        assertThat(broker.crashes()).isGreaterThan(MESSAGES / 200);
        assertThat(invoices()).hasSize(MESSAGES).doesNotHaveDuplicates();
        assertThat(failed()).isEmpty();
    }
}
