package io.waybill.testkit.contract.outbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.waybill.WaybillException;
import io.waybill.message.Message;
import io.waybill.ops.Edit;
import io.waybill.store.admin.OutboxStatus;
import io.waybill.store.admin.Selection;
import io.waybill.store.admin.StoredMessage;
import io.waybill.store.outbox.ClaimedMessage;
import io.waybill.store.outbox.OnExhausted;
import io.waybill.testkit.contract.support.OperatorContract;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What an operator changes in an outbox. */
public abstract class OutboxAdminContract extends OperatorContract {

    private static final Selection FAILED = Selection.failed();

    @Test
    void a_refusal_that_comes_after_a_discard_stops_nobody() {
        append(order("a", 1), order("a", 2));
        var leases = leaseAll("relay");
        var inFlight = claimAll().get(0);
        discard(Selection.of(List.of(inFlight.envelope().id())));
        delay(leases, inFlight);
        assertThat(payloads(sendAll(leases))).containsExactly(number(2));
    }

    @Test
    void a_parked_key_is_replayed_in_its_old_order_with_those_that_came_later() {
        append(order("a", 1), order("a", 2), order("a", 3));
        var leases = leaseAll("relay");
        refuseAll(leases, OnExhausted.PARK);
        append(order("a", 4));
        assertThat(sendAll(leases)).isEmpty();
        append(order("a", 5));
        assertThat(store.statuses()).containsEntry("FAILED", 1L).containsEntry("HELD", 3L);

        assertThat(replay(FAILED)).isEqualTo(1);

        assertThat(payloads(sendAll(leases))).containsExactly(number(1), number(2), number(3), number(4), number(5));
    }

    @Test
    void a_replayed_message_has_all_its_attempts_again() {
        append(order("a", 1));
        var leases = leaseAll("relay");
        var id = refuseAll(leases, OnExhausted.PARK).get(0).envelope().id();
        assertThat(found(id).attempts()).isEqualTo(1);

        operations().replay(id);

        assertThat(claimAll()).extracting(ClaimedMessage::attempts).containsExactly(0);
        assertThat(found(id).status()).isEqualTo(OutboxStatus.PENDING);
    }

    @Test
    void a_message_that_was_skipped_is_replayed_alone() {
        append(order("a", 1), order("a", 2));
        var leases = leaseAll("relay");
        refuseAll(leases, OnExhausted.SKIP);

        assertThat(replay(Selection.of(List.of(idOf(1))))).isEqualTo(1);

        assertThat(payloads(sendAll(leases))).containsExactly(number(1));
        assertThat(found(idOf(2)).status()).isEqualTo(OutboxStatus.FAILED);
    }

    @Test
    void a_message_that_waits_is_tried_now_and_its_key_with_it() {
        append(order("a", 1), order("a", 2));
        var leases = leaseAll("relay");
        delay(leases, claimAll().get(0));
        assertThat(sendAll(leases)).isEmpty();
        assertThat(found(idOf(1)).status()).isEqualTo(OutboxStatus.WAITING);

        operations().replay(idOf(1));

        assertThat(payloads(sendAll(leases))).containsExactly(number(1), number(2));
    }

    @Test
    void a_blocked_key_moves_on_when_it_is_unblocked() {
        append(order("a", 1), order("a", 2), order("b", 3));
        var leases = leaseAll("relay");
        refuseAll(leases, OnExhausted.BLOCK);

        assertThat(operations().unblock(ORDERS, "a")).isTrue();

        assertThat(payloads(sendAll(leases))).containsExactly(number(1), number(2));
        assertThat(operations().unblock(ORDERS, "a")).isFalse();
        assertThat(operations().unblock("elsewhere", "b")).isFalse();
    }

    @Test
    void a_held_message_cannot_be_replayed_before_the_first_of_its_key() {
        append(order("a", 1), order("a", 2));
        refuseAll(leaseAll("relay"), OnExhausted.PARK);
        var held = idOf(2);

        assertThatThrownBy(() -> operations().replay(held))
                .isInstanceOf(WaybillException.class)
                .hasMessageContaining("held behind an earlier message of the key 'a' to " + ORDERS);
        assertThat(replay(Selection.of(List.of(held)))).isZero();
        assertThat(found(held).status()).isEqualTo(OutboxStatus.HELD);
    }

    @Test
    void a_discarded_message_lets_its_followers_go() {
        append(order("a", 1), order("a", 2), order("a", 3));
        var leases = leaseAll("relay");
        refuseAll(leases, OnExhausted.PARK);

        assertThat(discard(FAILED)).isEqualTo(1);

        assertThat(payloads(sendAll(leases))).containsExactly(number(2), number(3));
        var discarded = store.admin().list(Selection.of(OutboxStatus.DISCARDED), 0, 10);
        assertThat(discarded).extracting(StoredMessage::error).containsExactly("a test order");
        assertThat(discarded.get(0).dispatchedAt()).isNotNull();
    }

    @Test
    void a_key_that_is_discarded_as_a_whole_sends_nothing_on_the_way() {
        var messages = new ArrayList<Message>();
        for (int i = 0; i < 1_100; i++) {
            messages.add(order("a", i));
        }
        append(messages.toArray(Message[]::new));
        var leases = leaseAll("relay");
        refuseAll(leases, OnExhausted.PARK);
        var sent = new ArrayList<ClaimedMessage>();

        long discarded = operations()
                .discard(
                        Selection.of(OutboxStatus.FAILED, OutboxStatus.HELD),
                        "a test order",
                        done -> sent.addAll(sendAll(leases)));

        assertThat(discarded).isEqualTo(1_100);
        assertThat(sent).isEmpty();
    }

    @Test
    void nothing_is_discarded_without_a_reason() {
        assertThatThrownBy(() -> operations().discard(FAILED, " ", done -> {}))
                .isInstanceOf(WaybillException.class)
                .hasMessageContaining("needs a reason");
    }

    @Test
    void a_message_is_replayed_with_another_payload() {
        append(order("a", 1), order("a", 2));
        var leases = leaseAll("relay");
        refuseAll(leases, OnExhausted.PARK);

        operations().replay(idOf(1), Edit.NONE.payload("{\"number\":\"one\"}"));

        assertThat(payloads(sendAll(leases))).containsExactly("{\"number\":\"one\"}", number(2));
    }

    @Test
    void a_message_sent_elsewhere_leaves_its_key_free() {
        append(order("a", 1), order("a", 2));
        var leases = leaseAll("relay");
        refuseAll(leases, OnExhausted.PARK);

        operations().replay(idOf(1), Edit.NONE.destination("orders.again"));

        var sent = sendAll(leases);
        assertThat(payloads(sent)).containsExactlyInAnyOrder(number(1), number(2));
        assertThat(sent)
                .extracting(message -> message.envelope().destination())
                .containsExactlyInAnyOrder("orders.again", ORDERS);
    }

    @Test
    void a_payload_that_is_not_what_it_is_declared_as_is_refused() {
        append(order("a", 1));
        refuseAll(leaseAll("relay"), OnExhausted.PARK);

        assertThatThrownBy(() -> operations().replay(idOf(1), Edit.NONE.payload("{not json")))
                .isInstanceOf(WaybillException.class)
                .hasMessageContaining("not JSON");

        assertThat(found(idOf(1)).status()).isEqualTo(OutboxStatus.FAILED);
    }

    @Test
    void an_unknown_message_is_said_to_be_unknown() {
        var unknown = UUID.randomUUID();

        assertThat(operations().find(unknown)).isEmpty();
        assertThatThrownBy(() -> operations().replay(unknown))
                .isInstanceOf(WaybillException.class)
                .hasMessageContaining("There is no message " + unknown);
    }

    @Test
    void what_was_dispatched_is_not_sent_again() {
        append(order("a", 1));
        sendAll(leaseAll("relay"));
        var id = idOf(1);

        assertThatThrownBy(() -> operations().replay(id))
                .isInstanceOf(WaybillException.class)
                .hasMessageContaining("it was dispatched at");
        assertThat(replay(Selection.of(List.of(id)))).isZero();
        assertThat(discard(Selection.of(List.of(id)))).isZero();
    }

    @Test
    void many_messages_of_many_keys_are_replayed_step_by_step_each_key_in_order() {
        var messages = new ArrayList<Message>();
        for (int i = 0; i < 1_200; i++) {
            messages.add(order("key-" + i % 300, i));
        }
        append(messages.toArray(Message[]::new));
        var leases = leaseAll("relay");
        refuseAll(leases, OnExhausted.SKIP);
        var steps = new ArrayList<Long>();

        long replayed = operations().replay(FAILED.to(ORDERS), steps::add);

        assertThat(replayed).isEqualTo(1_200);
        assertThat(steps).hasSizeGreaterThan(1).isSorted().last().isEqualTo(1_200L);
        assertThat(byKey(sendAll(leases)))
                .hasSize(300)
                .allSatisfy((key, numbers) -> assertThat(numbers).hasSize(4).isSorted());
    }

    @Test
    @Timeout(60)
    void parked_keys_are_replayed_in_order_while_others_append_to_them_and_a_relay_sends() {
        for (int i = 0; i < 40; i++) {
            append(order("key-" + i % 20, i));
        }
        var leases = leaseAll("relay");
        refuseAll(leases, OnExhausted.PARK);

        var appending = CompletableFuture.runAsync(() -> {
            for (int i = 40; i < 200; i++) {
                append(order("key-" + i % 20, i));
            }
        });
        var replaying = CompletableFuture.runAsync(() -> replay(FAILED));
        var sent = new ArrayList<ClaimedMessage>();
        while (sent.size() < 200) {
            sent.addAll(sendAll(leases));
        }
        CompletableFuture.allOf(appending, replaying).join();

        assertThat(byKey(sent))
                .hasSize(20)
                .allSatisfy(
                        (key, positions) -> assertThat(positions).hasSize(10).isSorted());
    }

    private long replay(Selection selection) {
        return operations().replay(selection, done -> {});
    }

    private long discard(Selection selection) {
        return operations().discard(selection, "a test order", done -> {});
    }

    private static Map<String, List<Long>> byKey(List<ClaimedMessage> sent) {
        var positions = new HashMap<String, List<Long>>();
        sent.forEach(message -> positions
                .computeIfAbsent(message.envelope().partitionKey(), key -> new ArrayList<>())
                .add(message.position()));
        return positions;
    }
}
