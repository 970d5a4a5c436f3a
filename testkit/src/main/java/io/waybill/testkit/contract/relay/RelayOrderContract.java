package io.waybill.testkit.contract.relay;

import static org.assertj.core.api.Assertions.assertThat;

import io.waybill.message.Message;
import io.waybill.relay.Relay;
import io.waybill.store.inbox.InboxEntry;
import io.waybill.testkit.CommitOrder;
import io.waybill.testkit.contract.support.StoreFixture.OpenTransaction;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/**
 * Order and progress while transactions overlap: positions are given before commit, so a smaller one may appear last. What was
 * received is judged by {@link CommitOrder}, which knows only what the test did.
 */
public abstract class RelayOrderContract extends RelayScenario {

    private final CommitOrder order = new CommitOrder();
    private int number;

    @Test
    void of_two_that_overlap_the_one_that_is_seen_first_goes_first_whatever_its_position() {
        var relay = relay();
        try (var early = store.begin();
                var late = store.begin()) {
            append(early, "a");
            append(late, "a");
            commit(late);
            drain(relay);
            commit(early);
        }
        drain(relay);

        assertThat(broker.payloads()).containsExactly("{\"number\":2}", "{\"number\":1}");
        assertKept();
    }

    @Test
    void two_that_overlap_and_are_seen_together_both_arrive() {
        var relay = relay();
        try (var early = store.begin();
                var late = store.begin()) {
            append(early, "a");
            append(late, "a");
            append(early, "a");
            append(late, "a");
            commit(late);
            commit(early);
        }
        drain(relay);

        assertKept();
    }

    @Test
    void two_that_follow_each_other_keep_their_order_while_a_third_with_a_smaller_position_is_open() {
        var relay = relay();
        try (var open = store.begin()) {
            append(open, "a");
            appendAndCommit("a");
            drain(relay);
            appendAndCommit("a");
            drain(relay);
            assertThat(broker.payloads()).containsExactly("{\"number\":2}", "{\"number\":3}");
            commit(open);
        }
        drain(relay);

        assertThat(broker.payloads()).containsExactly("{\"number\":2}", "{\"number\":3}", "{\"number\":1}");
        assertKept();
    }

    @Test
    void two_that_follow_each_other_keep_their_order_when_they_are_first_seen_after_the_third() {
        var relay = relay();
        try (var open = store.begin()) {
            append(open, "a");
            appendAndCommit("a");
            appendAndCommit("a");
            commit(open);
        }
        drain(relay);

        assertKept();
    }

    @Test
    void a_transaction_that_is_open_on_another_table_all_the_time_holds_nothing_up() {
        var relay = relay();
        try (var open = store.begin()) {
            store.inboxStore().record(open.current(), List.of(new InboxEntry(UUID.randomUUID(), "another handler")));
            for (int i = 0; i < 30; i++) {
                appendAndCommit("key-" + i % 3);
                drain(relay);
                assertKept();
            }
        }
        assertThat(store.statuses()).isEmpty();
    }

    @Test
    void a_transaction_that_has_appended_and_stays_open_holds_nothing_up_and_loses_nothing() {
        var relay = relay();
        try (var open = store.begin()) {
            append(open, "a");
            append(open, "b");
            for (int i = 0; i < 30; i++) {
                appendAndCommit(i % 2 == 0 ? "a" : "c");
                drain(relay);
                assertKept();
            }
            append(open, "a");
            commit(open);
        }
        drain(relay);

        assertKept();
        assertThat(broker.accepted()).hasSize(33);
    }

    @Test
    void a_transaction_that_rolls_back_leaves_a_gap_that_nobody_waits_for() {
        var relay = relay();
        try (var open = store.begin()) {
            append(open, "a");
        }
        appendAndCommit("a");
        drain(relay);

        assertThat(broker.payloads()).containsExactly("{\"number\":2}");
        assertKept();
    }

    @Test
    void transactions_that_begin_and_end_at_random_keep_every_promise() {
        var random = new Random(20_261_115);
        var relay = relay();
        List<OpenTransaction> open = new ArrayList<>();
        for (int step = 0; step < 600; step++) {
            switch (random.nextInt(6)) {
                case 0 -> {
                    if (open.size() < 8) {
                        open.add(store.begin());
                    }
                }
                case 1 -> endOne(open, random);
                case 2 -> drain(relay);
                default -> {
                    if (!open.isEmpty()) {
                        append(open.get(random.nextInt(open.size())), "key-" + random.nextInt(4));
                    }
                }
            }
        }
        while (!open.isEmpty()) {
            endOne(open, random);
        }
        drain(relay);

        assertKept();
        assertThat(broker.accepted()).hasSizeGreaterThan(100);
        assertThat(store.statuses()).isEmpty();
    }

    /** Three of four commit. */
    private void endOne(List<OpenTransaction> open, Random random) {
        if (!open.isEmpty()) {
            try (var ended = open.remove(random.nextInt(open.size()))) {
                if (random.nextInt(4) > 0) {
                    commit(ended);
                }
            }
        }
    }

    private void append(OpenTransaction transaction, String key) {
        Message message = order(key, ++number);
        order.appended(transaction, outboxIn(transaction).append(message));
    }

    private void commit(OpenTransaction transaction) {
        transaction.commit();
        order.committed(transaction);
    }

    private void appendAndCommit(String key) {
        try (var transaction = store.begin()) {
            append(transaction, key);
            commit(transaction);
        }
    }

    /** Sends all that is visible; whatever is committed must be. */
    private void drain(Relay relay) {
        relay.drain();
        order.looked();
        assertThat(order.missing(broker.accepted())).isEmpty();
    }

    private void assertKept() {
        assertThat(order.violations(broker.accepted())).isEmpty();
        assertThat(order.missing(broker.accepted())).isEmpty();
    }
}
