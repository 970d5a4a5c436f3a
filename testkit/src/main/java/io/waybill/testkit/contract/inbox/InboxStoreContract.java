package io.waybill.testkit.contract.inbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;
import static org.awaitility.Awaitility.await;

import io.waybill.inbox.Subscriber;
import io.waybill.message.Message;
import io.waybill.store.inbox.HandlerStats;
import io.waybill.store.inbox.InboxEntry;
import io.waybill.testkit.contract.support.StoreContract;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What an inbox in a database promises. */
public abstract class InboxStoreContract extends StoreContract {

    private final Message message = Message.event("OrderPlaced", "1").to(ORDERS).id(UUID.randomUUID());
    private final ExecutorService threads = Executors.newFixedThreadPool(4);

    @AfterEach
    void stopThreads() {
        threads.shutdownNow();
    }

    @Test
    void a_handler_runs_once_per_message() {
        var calls = new AtomicInteger();

        assertThat(receive("billing", calls)).isTrue();
        assertThat(receive("billing", calls)).isFalse();

        assertThat(calls).hasValue(1);
    }

    @Test
    void two_handlers_of_one_message_know_nothing_of_each_other() {
        var calls = new AtomicInteger();

        assertThat(receive("billing", calls)).isTrue();
        assertThat(receive("shipping", calls)).isTrue();

        assertThat(calls).hasValue(2);
    }

    @Test
    void names_that_differ_in_case_are_two_handlers() {
        assertThat(receive("Billing", new AtomicInteger())).isTrue();
        assertThat(receive("billing", new AtomicInteger())).isTrue();
    }

    @Test
    void a_handler_that_throws_may_try_again() {
        var calls = new AtomicInteger();
        var failing = Subscriber.ofText("billing", received -> {
            throw new IllegalStateException("no ink");
        });

        assertThatThrownBy(() -> store.inbox().receive(message.seal(UUID::randomUUID), failing))
                .hasMessage("no ink");

        assertThat(receive("billing", calls)).isTrue();
        assertThat(calls).hasValue(1);
    }

    @Test
    void of_many_at_the_same_time_one_takes_effect() throws Exception {
        var calls = new AtomicInteger();
        var tasks = new ArrayList<Callable<Boolean>>();
        for (int i = 0; i < 20; i++) {
            tasks.add(() -> receive("billing", calls));
        }
        for (var result : threads.invokeAll(tasks)) {
            result.get();
        }

        assertThat(calls).hasValue(1);
    }

    @Test
    void of_many_messages_at_once_the_new_ones_are_told() {
        List<InboxEntry> entries = entries("billing", 100);
        record(entries.subList(20, 40));

        assertThat(record(entries.subList(0, 30))).containsExactlyInAnyOrderElementsOf(entries.subList(0, 20));
        assertThat(record(entries)).containsExactlyInAnyOrderElementsOf(entries.subList(40, 100));
        assertThat(record(entries)).isEmpty();
        assertThat(record(List.of())).isEmpty();
    }

    @Test
    void a_message_that_is_given_twice_is_new_once() {
        InboxEntry entry = entries("billing", 1).get(0);

        assertThat(record(List.of(entry, entry))).containsExactly(entry);
        assertThat(record(List.of(entry, new InboxEntry(entry.message(), "shipping"))))
                .containsExactly(new InboxEntry(entry.message(), "shipping"));
    }

    @Test
    void what_is_rolled_back_was_not_handled() {
        List<InboxEntry> entries = entries("billing", 10);
        try (var transaction = store.begin()) {
            assertThat(store.inboxStore().record(transaction.current(), entries))
                    .hasSize(10);
        }

        assertThat(record(entries)).hasSize(10);
    }

    @Test
    void whoever_comes_second_waits_for_the_first_to_commit() throws Exception {
        List<InboxEntry> entries = entries("billing", 10);
        Future<Set<InboxEntry>> second;
        try (var first = store.begin()) {
            store.inboxStore().record(first.current(), entries);
            second = threads.submit(() -> record(entries.subList(0, 5)));
            await().during(Duration.ofMillis(100)).until(() -> !second.isDone());
            first.commit();
        }

        assertThat(second.get(10, TimeUnit.SECONDS)).isEmpty();
    }

    @Test
    void whoever_comes_second_handles_what_the_first_does_not_commit() throws Exception {
        List<InboxEntry> entries = entries("billing", 10);
        Future<Set<InboxEntry>> second;
        try (var first = store.begin()) {
            store.inboxStore().record(first.current(), entries);
            second = threads.submit(() -> record(entries));
            await().during(Duration.ofMillis(100)).until(() -> !second.isDone());
        }

        assertThat(second.get(10, TimeUnit.SECONDS)).hasSize(10);
    }

    @Test
    void two_batches_of_the_same_messages_in_another_order_do_not_block_each_other() throws Exception {
        for (int round = 0; round < 10; round++) {
            List<InboxEntry> entries = entries("billing", 50);
            List<InboxEntry> reversed = new ArrayList<>(entries);
            Collections.reverse(reversed);

            int fresh = 0;
            for (var result : threads.invokeAll(
                    Arrays.<Callable<Set<InboxEntry>>>asList(() -> record(entries), () -> record(reversed)))) {
                fresh += result.get().size();
            }
            assertThat(fresh).isEqualTo(50);
        }
    }

    @Test
    void what_was_handled_lately_is_counted() {
        record(entries("billing", 3));
        record(entries("billing#17", 1));
        record(entries("shipping", 2));

        assertThat(stats(Duration.ofHours(1)))
                .extracting(HandlerStats::handler, HandlerStats::handled)
                .containsExactly(tuple("billing", 4L), tuple("shipping", 2L));
        store.clock().advance(Duration.ofHours(2));
        assertThat(stats(Duration.ofHours(1))).isEmpty();
    }

    private List<HandlerStats> stats(Duration within) {
        return store.transactions()
                .inTransaction(transaction -> store.inboxStore().stats(transaction, within));
    }

    private Set<InboxEntry> record(List<InboxEntry> entries) {
        return store.transactions()
                .inTransaction(transaction -> store.inboxStore().record(transaction, entries));
    }

    private static List<InboxEntry> entries(String handler, int count) {
        return Stream.generate(() -> new InboxEntry(UUID.randomUUID(), handler))
                .limit(count)
                .toList();
    }

    private boolean receive(String handler, AtomicInteger calls) {
        var subscriber = Subscriber.ofText(handler, received -> calls.incrementAndGet());
        return store.inbox().receive(message.seal(UUID::randomUUID), subscriber);
    }
}
