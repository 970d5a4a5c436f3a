package io.waybill.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.waybill.inbox.Inbox;
import io.waybill.message.Message;
import java.util.ArrayList;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** What an inbox in a database promises. */
public abstract class InboxStoreContract extends StoreContract {

    private final Message message = Message.event("OrderPlaced", "1").to(ORDERS).id(UUID.randomUUID());

    @Test
    void a_handler_runs_once_per_message() {
        var inbox = new Inbox(store.inboxStore(), store.transactions());
        var calls = new AtomicInteger();

        assertThat(receive(inbox, "billing", calls)).isTrue();
        assertThat(receive(inbox, "billing", calls)).isFalse();

        assertThat(calls).hasValue(1);
    }

    @Test
    void two_handlers_of_one_message_know_nothing_of_each_other() {
        var inbox = new Inbox(store.inboxStore(), store.transactions());
        var calls = new AtomicInteger();

        assertThat(receive(inbox, "billing", calls)).isTrue();
        assertThat(receive(inbox, "shipping", calls)).isTrue();

        assertThat(calls).hasValue(2);
    }

    @Test
    void names_that_differ_in_case_are_two_handlers() {
        var inbox = new Inbox(store.inboxStore(), store.transactions());

        assertThat(receive(inbox, "Billing", new AtomicInteger())).isTrue();
        assertThat(receive(inbox, "billing", new AtomicInteger())).isTrue();
    }

    @Test
    void a_handler_that_throws_may_try_again() {
        var inbox = new Inbox(store.inboxStore(), store.transactions());
        var calls = new AtomicInteger();

        assertThatThrownBy(() -> inbox.receive(message.seal(UUID::randomUUID), "billing", received -> {
                    throw new IllegalStateException("no ink");
                }))
                .hasMessage("no ink");

        assertThat(receive(inbox, "billing", calls)).isTrue();
        assertThat(calls).hasValue(1);
    }

    @Test
    void of_many_at_the_same_time_one_takes_effect() throws Exception {
        var inbox = new Inbox(store.inboxStore(), store.transactions());
        var calls = new AtomicInteger();
        var tasks = new ArrayList<Callable<Boolean>>();
        for (int i = 0; i < 20; i++) {
            tasks.add(() -> receive(inbox, "billing", calls));
        }
        var threads = Executors.newFixedThreadPool(4);
        try {
            for (var result : threads.invokeAll(tasks)) {
                result.get();
            }
        } finally {
            threads.shutdownNow();
        }

        assertThat(calls).hasValue(1);
    }

    private boolean receive(Inbox inbox, String handler, AtomicInteger calls) {
        return inbox.receive(message.seal(UUID::randomUUID), handler, received -> calls.incrementAndGet());
    }
}
