package io.waybill.testkit.contract.outbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.waybill.WaybillException;
import io.waybill.message.Envelope;
import io.waybill.message.Message;
import io.waybill.observe.OutboxListener;
import io.waybill.outbox.Outbox;
import io.waybill.outbox.OutboxOptions;
import io.waybill.store.NoTransactionException;
import io.waybill.testkit.contract.support.StoreContract;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** What an application may expect when it appends. */
public abstract class OutboxContract extends StoreContract {

    @Test
    void appending_without_a_transaction_says_what_to_do_and_writes_nothing() {
        assertThatThrownBy(() -> store.outbox().append(order("a", 1)))
                .isInstanceOf(NoTransactionException.class)
                .hasMessageContaining("needs an open transaction")
                .hasMessageContaining("inTransaction");

        assertThat(store.statuses()).isEmpty();
    }

    @Test
    void a_message_that_is_refused_leaves_no_row() {
        store.transactions().inTransaction(transaction -> {
            Outbox outbox = store.outbox();
            assertThatThrownBy(() -> outbox.append(List.of(
                            order("a", 1), Message.event("Broken", "{not json").to(ORDERS))))
                    .isInstanceOf(WaybillException.class)
                    .hasMessageContaining("not JSON");
            return outbox;
        });

        assertThat(store.statuses()).isEmpty();
    }

    @Test
    void numbers_have_no_gaps_although_a_transaction_rolled_back() {
        var options = OutboxOptions.DEFAULT.numbered("orders.*");
        Outbox outbox = Outbox.in(store.outboxStore(), store.transactions(), options);
        store.transactions()
                .inTransaction(transaction -> outbox.append(List.of(order("a", 1), order("b", 1), order("a", 2))));
        try (var transaction = store.begin()) {
            Outbox.in(store.outboxStore(), transaction, options).append(order("a", 99));
        }
        store.transactions().inTransaction(transaction -> outbox.append(order("a", 3)));

        assertThat(claimAll())
                .hasSize(4)
                .allSatisfy(message -> assertThat(message.envelope().payload().asText())
                        .contains(":" + message.envelope().headers().get(Outbox.SEQUENCE) + "}"));
    }

    @Test
    void an_ordered_destination_refuses_a_message_without_a_key_and_shows_the_line_to_write() {
        Outbox outbox =
                Outbox.in(store.outboxStore(), store.transactions(), OutboxOptions.DEFAULT.ordered("orders.**"));

        store.transactions().inTransaction(transaction -> {
            assertThatThrownBy(() ->
                            outbox.append(Message.event("OrderPlaced", "1").to(ORDERS)))
                    .isInstanceOf(WaybillException.class)
                    .hasMessageContaining("message.inOrderOf(order.id())");
            return outbox;
        });
        assertThat(store.statuses()).isEmpty();
    }

    @Test
    void whoever_waits_for_messages_is_woken_after_the_commit() {
        var woken = new AtomicInteger();
        Outbox outbox = Outbox.in(
                store.outboxStore(), store.transactions(), OutboxOptions.DEFAULT.wake(woken::incrementAndGet));

        store.transactions().inTransaction(transaction -> {
            outbox.append(order("a", 1));
            assertThat(woken).hasValue(0);
            return outbox;
        });

        assertThat(woken).hasValue(1);
    }

    @Test
    void a_listener_is_told_what_was_committed_and_nothing_else() {
        var notified = new ArrayList<String>();
        Outbox outbox = Outbox.in(
                store.outboxStore(), store.transactions(), OutboxOptions.DEFAULT.listener(recording(notified)));

        store.transactions().inTransaction(transaction -> {
            outbox.append(List.of(order("a", 1), order("a", 2), order("a", 3).after(Duration.ofMinutes(1))));
            outbox.append(order("a", 4));
            assertThat(notified).isEmpty();
            return outbox;
        });
        assertThatThrownBy(() -> store.transactions().inTransaction(transaction -> {
                    outbox.append(order("a", 5));
                    throw new IllegalStateException("the application gives up");
                }))
                .isInstanceOf(IllegalStateException.class);

        assertThat(notified)
                .containsExactly(
                        "appended {\"number\":1}",
                        "appended {\"number\":2}",
                        "scheduled {\"number\":3} for PT1M",
                        "appended {\"number\":4}");
    }

    @Test
    void a_listener_that_throws_changes_nothing_about_what_was_committed() {
        OutboxListener broken = new OutboxListener() {
            @Override
            public void appended(List<Envelope> messages) {
                throw new IllegalStateException("a bug in the listener");
            }
        };
        Outbox outbox = Outbox.in(store.outboxStore(), store.transactions(), OutboxOptions.DEFAULT.listener(broken));

        store.transactions().inTransaction(transaction -> outbox.append(order("a", 1)));

        assertThat(claimAll()).hasSize(1);
    }

    @Test
    void what_fails_after_a_commit_neither_stops_the_rest_nor_tells_the_caller_otherwise() {
        var ran = new ArrayList<String>();

        String result = store.transactions().inTransaction(transaction -> {
            store.outbox().append(order("a", 1));
            transaction.afterCommit(() -> ran.add("first"));
            transaction.afterCommit(() -> {
                throw new IllegalStateException("a bug behind the commit");
            });
            transaction.afterCommit(() -> ran.add("last"));
            return "committed";
        });

        assertThat(result).isEqualTo("committed");
        assertThat(ran).containsExactly("first", "last");
        assertThat(claimAll()).hasSize(1);
    }

    @Test
    void an_error_after_a_commit_comes_through_when_the_rest_has_run() {
        var ran = new ArrayList<String>();

        assertThatThrownBy(() -> store.transactions().inTransaction(transaction -> {
                    transaction.afterCommit(() -> ran.add("first"));
                    transaction.afterCommit(() -> {
                        throw new LinkageError("a class that is missing");
                    });
                    return transaction.afterCommit(() -> ran.add("last"));
                }))
                .isInstanceOf(LinkageError.class);

        assertThat(ran).containsExactly("first", "last");
    }

    private static OutboxListener recording(List<String> notified) {
        return new OutboxListener() {
            @Override
            public void appended(List<Envelope> messages) {
                messages.forEach(
                        message -> notified.add("appended " + message.payload().asText()));
            }

            @Override
            public void scheduled(Envelope message, Duration delay) {
                notified.add("scheduled " + message.payload().asText() + " for " + delay);
            }
        };
    }
}
