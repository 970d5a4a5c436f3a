package io.waybill.testkit.contract.outbox;

import static org.assertj.core.api.Assertions.assertThat;

import io.waybill.message.Category;
import io.waybill.message.Message;
import io.waybill.store.outbox.Claim;
import io.waybill.store.outbox.ClaimedMessage;
import io.waybill.store.outbox.ClaimedMessage.State;
import io.waybill.store.outbox.Lane;
import io.waybill.store.outbox.Lease;
import io.waybill.store.outbox.OnExhausted;
import io.waybill.store.outbox.Settlements;
import io.waybill.testkit.contract.support.StoreContract;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** What an outbox in a database promises. */
public abstract class OutboxStoreContract extends StoreContract {

    @Test
    void a_committed_message_comes_back_as_it_was_written() {
        var id = UUID.randomUUID();
        append(Message.command("PlaceOrder", "{\"text\":\"Zażółć 😀 \\\"quoted\\\"\"}")
                .id(id)
                .to("orders")
                .key("k 1")
                .inOrderOf("Order-1")
                .header("traceparent", "00-ab-cd-01")
                .header("quote", "a \"b\" \\ c\nd"));

        var envelope = claimAll().get(0).envelope();

        assertThat(envelope.id()).isEqualTo(id);
        assertThat(envelope.category()).isEqualTo(Category.COMMAND);
        assertThat(envelope.type()).isEqualTo("PlaceOrder");
        assertThat(envelope.destination()).isEqualTo("orders");
        assertThat(envelope.key()).isEqualTo("k 1");
        assertThat(envelope.partitionKey()).isEqualTo("Order-1");
        assertThat(envelope.payload().asText()).isEqualTo("{\"text\":\"Zażółć 😀 \\\"quoted\\\"\"}");
        assertThat(envelope.headers())
                .containsExactlyInAnyOrderEntriesOf(Map.of("traceparent", "00-ab-cd-01", "quote", "a \"b\" \\ c\nd"));
    }

    @Test
    void bytes_come_back_as_bytes() {
        byte[] bytes = new byte[256];
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = (byte) i;
        }
        append(
                Message.event("Image", bytes).to("images"),
                Message.event("Image", bytes).to("images"));

        var claimed = claimAll();

        assertThat(claimed).hasSize(2).allSatisfy(message -> {
            assertThat(message.envelope().payload().isText()).isFalse();
            assertThat(message.envelope().payload().asBytes()).isEqualTo(bytes);
        });
    }

    @Test
    void nothing_of_a_transaction_that_rolled_back_is_seen() {
        try (var transaction = store.begin()) {
            outboxIn(transaction).append(order("a", 1));
        }

        assertThat(claimAll()).isEmpty();
    }

    @Test
    void nothing_is_seen_before_commit() {
        try (var transaction = store.begin()) {
            outboxIn(transaction).append(order("a", 1));
            assertThat(claimAll()).isEmpty();
            transaction.commit();
        }

        assertThat(claimAll()).hasSize(1);
    }

    @Test
    void a_batch_keeps_its_order() {
        var messages = new ArrayList<Message>();
        for (int i = 0; i < 1_200; i++) {
            messages.add(order("one-key", i));
        }
        append(messages.toArray(Message[]::new));

        assertThat(payloads(claimAll()))
                .isEqualTo(messages.stream()
                        .map(message -> message.seal(UUID::randomUUID).payload().asText())
                        .toList());
    }

    @Test
    void keys_that_differ_in_case_or_trailing_blanks_are_different_keys() {
        append(order("Order-1", 1), order("order-1", 2), order("Order-1 ", 3));
        var leases = leaseAll("relay");
        var claimed = claimAll();

        retry(leases, claimed.get(0), Duration.ofSeconds(1));

        assertThat(claimAll()).allSatisfy(message -> assertThat(message.state()).isEqualTo(State.READY));
    }

    @Test
    void lanes_are_those_that_hold_something() {
        assertThat(store.outboxStore().lanes()).isEmpty();

        append(
                order("a", 1),
                order("a", 2),
                order("b", 3),
                Message.event("Other", "1").to("other"));

        var expected = new HashSet<Lane>();
        claimAll().forEach(message -> expected.add(message.lane()));
        assertThat(store.outboxStore().lanes())
                .containsAll(expected)
                .extracting(Lane::destination)
                .containsOnly(ORDERS, "other");
    }

    @Test
    void messages_of_one_key_share_a_shard_and_messages_without_one_are_spread() {
        for (int i = 0; i < 200; i++) {
            append(order("same", i), Message.event("Free", "1").to("free"));
        }

        Set<Integer> keyed = new HashSet<>();
        Set<Integer> spread = new HashSet<>();
        claimAll().forEach(message -> (message.envelope().isOrdered() ? keyed : spread).add(message.shard()));
        assertThat(keyed).hasSize(1);
        assertThat(spread).hasSizeGreaterThan(30);
    }

    @Test
    void a_claim_gives_at_most_what_was_asked_from_the_front() {
        append(order("a", 1), order("a", 2), order("a", 3));
        Lane lane = claim(1).get(0).lane();

        assertThat(payloads(store.outboxStore()
                        .claim(Map.of(lane, 2), Long.MAX_VALUE)
                        .messages()))
                .containsExactly("{\"number\":1}", "{\"number\":2}");
    }

    @Test
    void a_claim_keeps_within_its_bytes_and_says_that_it_was_cut() {
        for (int i = 0; i < 5; i++) {
            append(order("a", i).header("filling", "x"), spacious("a", 100_000));
        }
        Map<Lane, Integer> limits = Map.of(claim(1).get(0).lane(), 10);

        Claim cut = store.outboxStore().claim(limits, 250_000);
        Claim alone = store.outboxStore().claim(Map.of(claim(1).get(0).lane(), 2), 5);
        Claim whole = store.outboxStore().claim(limits, 1_000_000);

        assertThat(cut.cut()).isTrue();
        assertThat(cut.messages()).hasSize(5);
        assertThat(cut.bytes()).isBetween(200_000L, 250_000L);
        assertThat(alone.cut()).isTrue();
        assertThat(alone.messages()).hasSize(1);
        assertThat(whole.cut()).isFalse();
        assertThat(whole.messages()).hasSize(10).isEqualTo(claimAll());
    }

    @Test
    void what_is_due_keeps_within_its_bytes_and_to_where_it_can_be_sent() {
        for (int i = 0; i < 5; i++) {
            append(spacious("key-" + i, 100_000), Message.event("Free", "1").to("away"));
        }
        var leases = leaseAll("relay");
        claimAll().forEach(message -> retry(leases, message, Duration.ofSeconds(1)));
        store.clock().advance(Duration.ofSeconds(2));

        var due = store.outboxStore().claimDue(leases, Set.of("away"), 10, 250_000);

        assertThat(due).hasSize(2).allSatisfy(message -> {
            assertThat(message.envelope().destination()).isEqualTo(ORDERS);
            assertThat(message.bytes()).isEqualTo(100_000);
        });
        assertThat(claimDue(leases)).hasSize(10);
    }

    @Test
    void a_smaller_position_that_commits_late_is_not_skipped() {
        try (var early = store.begin();
                var late = store.begin()) {
            outboxIn(early).append(order("a", 1));
            outboxIn(late).append(order("a", 2));
            late.commit();
            var leases = leaseAll("relay");
            settle(leases, claimAll());
            early.commit();
        }

        assertThat(payloads(claimAll())).containsExactly("{\"number\":1}");
    }

    @Test
    void what_was_dispatched_is_not_claimed_again() {
        append(order("a", 1), order("b", 2));
        var leases = leaseAll("relay");

        assertThat(settle(leases, claimAll())).isEqualTo(2);

        assertThat(claimAll()).isEmpty();
        assertThat(store.outboxStore().lanes()).isEmpty();
    }

    @Test
    void a_relay_that_lost_its_lease_settles_nothing() {
        append(order("a", 1));
        var lost = leaseAll("frozen").stream()
                .map(lease -> new Lease(lease.pool(), lease.shard(), lease.token() - 1, false))
                .toList();
        var claimed = claimAll();

        assertThat(settle(lost, claimed)).isZero();
        assertThat(retry(lost, claimed.get(0), Duration.ofSeconds(1))).isZero();
        assertThat(payloads(claimAll())).containsExactly("{\"number\":1}");
    }

    @Test
    void a_refused_message_waits_and_so_does_its_key() {
        append(order("a", 1), order("b", 2));
        var leases = leaseAll("relay");

        retry(leases, claimAll().get(0), Duration.ofSeconds(10));
        append(order("a", 3));

        assertThat(claimAll()).extracting(ClaimedMessage::state).containsExactly(State.READY, State.BLOCKED);
        assertThat(claimDue(leases)).isEmpty();

        store.clock().advance(Duration.ofSeconds(11));
        var due = claimDue(leases);
        assertThat(payloads(due)).containsExactly("{\"number\":1}");
        assertThat(due.get(0).attempts()).isEqualTo(1);
        assertThat(due.get(0).state()).isEqualTo(State.DUE);
    }

    @Test
    void a_waiting_message_that_was_damaged_meanwhile_is_still_the_one_its_key_waits_for() {
        append(order("a", 1), order("a", 2));
        var leases = leaseAll("relay");
        var first = claimAll().get(0);
        retry(leases, first, Duration.ofSeconds(1));
        store.damage(first.envelope().id());
        store.clock().advance(Duration.ofSeconds(2));

        var due = claimDue(leases);

        assertThat(due).hasSize(1);
        assertThat(due.get(0).state()).isEqualTo(State.DUE);
        assertThat(due.get(0).isSendable()).isFalse();
        fail(leases, due.get(0), OnExhausted.SKIP);
        assertThat(claimAll()).extracting(ClaimedMessage::state).containsExactly(State.READY);
    }

    @Test
    void followers_are_held_once_and_set_free_when_their_first_message_has_gone() {
        append(order("a", 1), order("a", 2), order("a", 3));
        var leases = leaseAll("relay");
        var claimed = claimAll();
        settleWith(leases, settlements -> {
            settlements.retries().add(new Settlements.Retry(claimed.get(0), "no", Duration.ofSeconds(1)));
            settlements.held().addAll(claimed.subList(1, 3));
        });
        assertThat(store.statuses()).containsEntry("HELD", 2L);
        assertThat(claimAll()).isEmpty();

        store.clock().advance(Duration.ofSeconds(2));
        settle(leases, claimDue(leases));

        assertThat(payloads(claimAll())).containsExactly("{\"number\":2}", "{\"number\":3}");
        assertThat(claimAll()).allSatisfy(message -> assertThat(message.state()).isEqualTo(State.READY));
    }

    @Test
    void nothing_is_held_behind_a_key_that_is_free() {
        append(order("a", 1));
        var leases = leaseAll("relay");
        var claimed = claimAll();

        assertThat(settleWith(leases, settlements -> settlements.held().addAll(claimed)))
                .isZero();

        assertThat(claimAll()).hasSize(1);
    }

    @Test
    void a_parked_key_is_held_with_its_followers() {
        append(order("a", 1), order("b", 2));
        var leases = leaseAll("relay");
        fail(leases, claimAll().get(0), OnExhausted.PARK);
        append(order("a", 3));

        assertThat(claimAll()).extracting(ClaimedMessage::state).containsExactly(State.READY, State.BLOCKED);
        assertThat(store.statuses()).containsEntry("FAILED", 1L);
    }

    @Test
    void a_skipped_message_fails_alone() {
        append(order("a", 1));
        var leases = leaseAll("relay");
        fail(leases, claimAll().get(0), OnExhausted.SKIP);
        append(order("a", 2));

        assertThat(claimAll()).extracting(ClaimedMessage::state).containsExactly(State.READY);
        assertThat(store.statuses()).containsEntry("FAILED", 1L);
    }

    @Test
    void a_blocked_key_keeps_its_message_pending_until_somebody_acts() {
        append(order("a", 1));
        var leases = leaseAll("relay");
        fail(leases, claimAll().get(0), OnExhausted.BLOCK);
        append(order("a", 2));
        store.clock().advance(Duration.ofDays(3_650));

        assertThat(claimDue(leases)).isEmpty();
        assertThat(claimAll()).extracting(ClaimedMessage::state).containsExactly(State.BLOCKED);
        assertThat(store.statuses()).containsOnlyKeys("PENDING");
    }

    @Test
    void a_message_without_a_key_that_is_refused_holds_nobody() {
        append(Message.event("Free", "1").to("free"));
        var leases = leaseAll("relay");
        retry(leases, claimAll().get(0), Duration.ofSeconds(1));
        append(Message.event("Free", "2").to("free"));

        assertThat(claimAll()).extracting(ClaimedMessage::state).containsExactly(State.READY);
    }

    @Test
    void a_delayed_message_appears_when_its_time_has_come() {
        append(order("a", 1).after(Duration.ofMinutes(10)), order("a", 2));
        store.outboxStore().appendScheduled(10);
        assertThat(payloads(claimAll())).containsExactly("{\"number\":2}");

        store.clock().advance(Duration.ofMinutes(11));
        assertThat(store.outboxStore().appendScheduled(10)).isEqualTo(1);

        assertThat(payloads(claimAll())).containsExactly("{\"number\":2}", "{\"number\":1}");
        assertThat(store.outboxStore().appendScheduled(10)).isZero();
    }

    private static Message spacious(String key, int bytes) {
        return Message.event("Spacious", "1" + " ".repeat(bytes - 1)).to(ORDERS).inOrderOf(key);
    }

    private int settle(List<Lease> leases, List<ClaimedMessage> dispatched) {
        return settleWith(leases, settlements -> settlements.dispatched().addAll(dispatched));
    }

    private int retry(List<Lease> leases, ClaimedMessage message, Duration delay) {
        return settleWith(
                leases, settlements -> settlements.retries().add(new Settlements.Retry(message, "refused", delay)));
    }

    private int fail(List<Lease> leases, ClaimedMessage message, OnExhausted then) {
        return settleWith(
                leases, settlements -> settlements.failures().add(new Settlements.Failure(message, "refused", then)));
    }

    private int settleWith(List<Lease> leases, java.util.function.Consumer<Settlements> fill) {
        var settlements = Settlements.none();
        fill.accept(settlements);
        return store.outboxStore().settle(leases, settlements);
    }
}
