package io.waybill.testkit.contract.outbox;

import static org.assertj.core.api.Assertions.assertThat;

import io.waybill.message.Message;
import io.waybill.store.IdRange;
import io.waybill.store.admin.OutboxStatus;
import io.waybill.store.admin.Selection;
import io.waybill.store.admin.StoredMessage;
import io.waybill.store.outbox.ClaimedMessage;
import io.waybill.store.outbox.Lease;
import io.waybill.store.outbox.OnExhausted;
import io.waybill.store.outbox.Settlements;
import io.waybill.testkit.contract.support.OperatorContract;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What an operator reads of an outbox. */
public abstract class OutboxQueryContract extends OperatorContract {

    private static final Selection FAILED = Selection.failed();

    @Test
    void messages_are_counted_and_the_last_is_known_whether_they_are_sent_or_not() {
        assertThat(operations().lastPosition()).isZero();
        append(order("a", 1), order("b", 2));
        sendAll(leaseAll("relay"));
        long sent = operations().lastPosition();
        append(order("a", 3));

        assertThat(sent).isEqualTo(found(idOf(2)).position());
        assertThat(operations().lastPosition()).isEqualTo(found(idOf(3)).position());
        assertThat(operations().count(Selection.all().inOrderOf("a"))).isEqualTo(2);
        assertThat(operations().count(Selection.of(OutboxStatus.DISPATCHED))).isEqualTo(2);
    }

    @Test
    void messages_are_selected_by_what_they_have_in_common() {
        append(
                order("a", 1),
                Message.event("Shipped", "2").to("parcels").inOrderOf("b"),
                Message.event("Shipped", "3").to("parcels"));
        var leases = leaseAll("relay");
        refuseAll(leases, OnExhausted.PARK);
        append(order("c", 4));

        assertThat(selected(Selection.all())).containsExactly(number(1), "2", "3", number(4));
        assertThat(selected(FAILED)).containsExactly(number(1), "2", "3");
        assertThat(selected(FAILED.to("parcels"))).containsExactly("2", "3");
        assertThat(selected(FAILED.to("parcel"))).isEmpty();
        assertThat(selected(FAILED.ofType("Shipped").inOrderOf("b"))).containsExactly("2");
        assertThat(selected(Selection.all().withError("refused BY"))).containsExactly(number(1), "2", "3");
        assertThat(selected(Selection.all().withError("%"))).isEmpty();
        assertThat(selected(FAILED.olderThan(Duration.ofHours(1)))).isEmpty();
        assertThat(selected(
                        Selection.all().in(IdRange.ofPrefix(idOf(1).toString()).orElseThrow())))
                .containsExactly(number(1));
        assertThat(selected(Selection.all().in(IdRange.ofPrefix("FFFF").orElseThrow())))
                .isEmpty();

        store.clock().advance(Duration.ofHours(2));
        assertThat(selected(FAILED.olderThan(Duration.ofHours(1)))).hasSize(3);
    }

    @Test
    void an_error_group_has_the_messages_with_this_error_and_no_other() {
        append(order("a", 1), order("b", 2), order("c", 3), order("d", 4), order("e", 5));
        var leases = leaseAll("relay");
        String lengthy = "x".repeat(Selection.ERROR_GROUP_LENGTH);
        refuse(leases, List.of("timeout", "read timeout after 5 s", "", lengthy + "1", lengthy + "2"));

        assertThat(selected(FAILED.withError("timeout"))).containsExactly(number(1), number(2));
        assertThat(selected(FAILED.inErrorGroup("timeout"))).containsExactly(number(1));
        assertThat(selected(FAILED.inErrorGroup(Selection.NO_ERROR))).containsExactly(number(3));
        assertThat(selected(FAILED.inErrorGroup(lengthy))).containsExactly(number(4), number(5));
        assertThat(selected(FAILED.inErrorGroup("time%"))).isEmpty();
        assertThat(operations().discard(FAILED.inErrorGroup("timeout"), "nobody waits", done -> {}))
                .isEqualTo(1);
        assertThat(selected(FAILED)).hasSize(4);
    }

    private void refuse(List<Lease> leases, List<String> errors) {
        var settlements = Settlements.none();
        List<ClaimedMessage> claimed = claimAll().stream()
                .sorted(Comparator.comparingLong(ClaimedMessage::position))
                .toList();
        for (int i = 0; i < errors.size(); i++) {
            settlements.failures().add(new Settlements.Failure(claimed.get(i), errors.get(i), OnExhausted.PARK));
        }
        store.outboxStore().settle(leases, settlements);
    }

    @Test
    void a_list_is_read_page_by_page() {
        append(order("a", 1), order("b", 2), order("a", 3));

        var first = operations().list(Selection.all(), 0, 2);
        var second = operations().list(Selection.all(), first.get(1).position(), 2);

        assertThat(first).hasSize(2);
        assertThat(second)
                .extracting(message -> payload(message.envelope().id()))
                .containsExactly(number(3));
    }

    @Test
    void a_list_reads_no_payloads() {
        append(order("a", 1));

        StoredMessage listed = operations().list(Selection.all(), 0, 1).get(0);

        assertThat(listed.envelope().payload().asText()).isEmpty();
        assertThat(payload(listed.envelope().id())).isEqualTo(number(1));
    }

    @Test
    void stats_say_what_waits_for_each_destination() {
        append(
                order("a", 1),
                order("a", 2),
                order("b", 3),
                Message.event("Free", "4").to("free"));
        var leases = leaseAll("relay");
        var claimed = claimAll();
        delay(leases, claimed.get(3));
        refuseAll(leases, OnExhausted.PARK);
        append(order("c", 5));
        append(Message.event("Gone", "6").to("gone"));
        sendAllTo("gone", leases);

        var stats = operations().stats();

        assertThat(stats).hasSize(2);
        assertThat(stats.get(0)).satisfies(free -> {
            assertThat(free.destination()).isEqualTo("free");
            assertThat(free.waiting()).isEqualTo(1);
            assertThat(free.attempts()).isEqualTo(1);
            assertThat(free.oldestPending()).isNotNull();
        });
        assertThat(stats.get(1)).satisfies(orders -> {
            assertThat(orders.pending()).isEqualTo(1);
            assertThat(orders.held()).isEqualTo(1);
            assertThat(orders.failed()).isEqualTo(2);
            assertThat(orders.attempts()).isEqualTo(2);
            assertThat(orders.maxAttempts()).isEqualTo(1);
        });
    }

    private void sendAllTo(String destination, List<Lease> leases) {
        var settlements = Settlements.none();
        claimAll().stream()
                .filter(message -> message.envelope().destination().equals(destination))
                .forEach(settlements.dispatched()::add);
        store.outboxStore().settle(leases, settlements);
    }

    private List<String> selected(Selection selection) {
        return operations().list(selection, 0, 100).stream()
                .map(message -> payload(message.envelope().id()))
                .toList();
    }
}
