package io.waybill.testkit.contract.outbox;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.mapping;
import static java.util.stream.Collectors.toList;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.waybill.WaybillException;
import io.waybill.message.Message;
import io.waybill.ops.Edit;
import io.waybill.store.AttemptLog;
import io.waybill.store.admin.OutboxStatus;
import io.waybill.store.admin.Selection;
import io.waybill.store.admin.StoredMessage;
import io.waybill.store.outbox.ClaimedMessage;
import io.waybill.store.outbox.Lease;
import io.waybill.store.outbox.OnExhausted;
import io.waybill.store.outbox.Settlements;
import io.waybill.testkit.contract.support.OperatorContract;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What an operator sees of the attempts of a message, and sends elsewhere when they failed. */
public abstract class AttemptsContract extends OperatorContract {

    private static final String ELSEWHERE = "orders.again";

    @Test
    void the_attempts_of_a_message_are_listed_with_their_times_and_errors() {
        append(order("a", 1));
        var leases = leaseAll("relay");
        ClaimedMessage message = claimAll().get(0);
        Instant first = store.clock().instant();
        refuse(leases, message, "the broker\nsays\tno \0 twice", false);
        store.clock().advance(Duration.ofMinutes(2));
        refuse(leases, message, "no again", true);

        List<AttemptLog.Entry> entries = found(idOf(1)).attemptLog().entries();

        assertThat(entries)
                .extracting(AttemptLog.Entry::text)
                .satisfiesExactly(
                        one -> assertThat(one).startsWith("the broker says no ").endsWith(" twice"),
                        two -> assertThat(two).isEqualTo("no again"));
        assertThat(entries).extracting(AttemptLog.Entry::kind).containsOnly(AttemptLog.Kind.FAILED);
        assertThat(Duration.between(first, entries.get(0).at())).isLessThan(Duration.ofSeconds(30));
        assertThat(Duration.between(entries.get(0).at(), entries.get(1).at()))
                .isBetween(Duration.ofSeconds(119), Duration.ofSeconds(150));
    }

    @Test
    void a_try_that_uses_no_attempt_leaves_no_line() {
        append(order("a", 1));
        var leases = leaseAll("relay");
        var settlements = Settlements.none();
        settlements.retries().add(new Settlements.Retry(claimAll().get(0), "unclear", Duration.ofHours(1), false));
        store.outboxStore().settle(leases, settlements);

        assertThat(found(idOf(1)).error()).isEqualTo("unclear");
        assertThat(found(idOf(1)).attemptLog().entries()).isEmpty();
    }

    @Test
    void a_list_does_not_read_histories() {
        append(order("a", 1));
        refuseAll(leaseAll("relay"), OnExhausted.PARK);

        assertThat(operations().list(Selection.failed(), 0, 10))
                .extracting(StoredMessage::attemptLog)
                .containsOnly(AttemptLog.NONE);
    }

    @Test
    void only_the_latest_attempts_are_kept() {
        append(order("a", 1));
        var leases = leaseAll("relay");
        ClaimedMessage message = claimAll().get(0);
        for (int i = 1; i <= 60; i++) {
            refuse(leases, message, i + " \uD83D\uDE00 \u4E2D\u6587 " + "e".repeat(5_000), false);
        }

        AttemptLog log = found(idOf(1)).attemptLog();

        assertThat(log.text().codePointCount(0, log.text().length())).isLessThanOrEqualTo(AttemptLog.MAX_LENGTH);
        assertThat(log.entries())
                .hasSizeBetween(14, 30)
                .allSatisfy(entry -> assertThat(entry.text())
                        .matches("[0-9]+ \uD83D\uDE00 \u4E2D\u6587 e+")
                        .hasSizeLessThanOrEqualTo(202));
        assertThat(log.entries().get(log.entries().size() - 1).text()).startsWith("60 ");
    }

    @Test
    void what_operators_did_is_among_the_attempts_and_a_message_that_failed_again_is_found() {
        append(order("a", 1), order("b", 2));
        var leases = leaseAll("relay");
        refuseAll(leases, OnExhausted.PARK);

        operations().by("ann").replay(idOf(1), Edit.NONE.payload(number(7)));
        refuseAll(leases, OnExhausted.PARK);

        assertThat(texts(idOf(7)))
                .containsExactly("Refused by the broker", "edited and replayed by ann", "Refused by the broker");
        assertThat(found(idOf(7)).retries()).isEqualTo(1);
        assertThat(found(idOf(2)).retries()).isZero();
        assertThat(operations().list(Selection.failed().thatWereRetried(), 0, 10))
                .extracting(message -> message.envelope().id())
                .containsExactly(idOf(7));
        operations().by("eve").replay(Selection.failed(), done -> {});
        operations().discard(Selection.all(), "not wanted", done -> {});
        assertThat(texts(idOf(7))).endsWith("replayed by eve", "discarded: not wanted");
    }

    @Test
    void an_unblocked_key_says_by_whom() {
        append(order("a", 1));
        refuseAll(leaseAll("relay"), OnExhausted.BLOCK);

        operations().by("ann").unblock(ORDERS, "a");

        assertThat(texts(idOf(1))).endsWith("unblocked by ann");
    }

    @Test
    void a_redirected_message_takes_along_what_is_held_behind_it_in_its_order() {
        append(order("a", 1), order("a", 2), order("a", 3), order("b", 4));
        var leases = leaseAll("relay");
        refuseAll(leases, OnExhausted.PARK);

        assertThat(redirect(Selection.of(List.of(idOf(1))))).isEqualTo(1);

        List<ClaimedMessage> sent = sendAll(leases);
        assertThat(payloads(sent)).containsExactly(number(1), number(2), number(3));
        assertThat(sent).extracting(message -> message.envelope().destination()).containsOnly(ELSEWHERE);
        assertThat(found(idOf(4)).status()).as("another key").isEqualTo(OutboxStatus.FAILED);
        append(order("a", 5));
        assertThat(sendAll(leases))
                .as("what comes later")
                .extracting(message -> message.envelope().destination())
                .containsExactly(ORDERS);
    }

    @Test
    void a_redirected_key_waits_behind_its_failed_message_there() {
        append(order("a", 1).to(ELSEWHERE), order("a", 2).to(ELSEWHERE), order("a", 3), order("a", 4));
        var leases = leaseAll("relay");
        refuseFirstOfEach(leases);
        assertThat(store.statuses()).containsEntry("FAILED", 2L).containsEntry("HELD", 2L);

        redirect(Selection.failed().to(ORDERS));
        assertThat(sendAll(leases)).isEmpty();
        operations().replay(idOf(1));

        assertThat(payloads(sendAll(leases))).containsExactly(number(1), number(2), number(3), number(4));
    }

    @Test
    void a_message_that_waits_is_redirected_and_a_late_answer_about_it_changes_nothing() {
        append(order("a", 1), order("a", 2));
        var leases = leaseAll("relay");
        ClaimedMessage first = claimAll().get(0);
        delay(leases, first);
        assertThat(sendAll(leases)).isEmpty();

        redirect(Selection.of(OutboxStatus.WAITING));
        delay(leases, first);

        assertThat(payloads(sendAll(leases))).containsExactly(number(1), number(2));
        assertThat(operations().unblock(ORDERS, "a")).isFalse();
    }

    @Test
    void nothing_but_what_was_refused_is_redirected_and_not_to_nowhere() {
        append(order("a", 1), order("a", 2));
        var leases = leaseAll("relay");
        assertThat(redirect(Selection.all())).isZero();
        refuseAll(leases, OnExhausted.PARK);
        append(
                order("waybill", 3).to("waybill.handler.billing.orders"),
                order("waybill", 4).to("waybill.process.Trip.1"));
        refuseAll(leases, OnExhausted.PARK);

        assertThat(redirect(Selection.of(List.of(idOf(2))))).as("a held one").isZero();
        assertThat(redirect(Selection.of(List.of(idOf(3), idOf(4)))))
                .as("one for a handler, one for a process")
                .isZero();
        assertThatThrownBy(() -> operations().replay(idOf(4), Edit.NONE.destination(ELSEWHERE)))
                .isInstanceOf(WaybillException.class)
                .hasMessageContaining("belongs to Waybill itself");
        for (String nowhere : List.of(" ", "orders.*", "waybill.process.Trip.1")) {
            assertThatThrownBy(() -> operations().redirect(Selection.failed(), nowhere, done -> {}))
                    .as(nowhere)
                    .isInstanceOf(WaybillException.class)
                    .hasMessageContainingAll("'" + nowhere.strip() + "'", "destination");
        }
        assertThat(found(idOf(1)).envelope().destination()).isEqualTo(ORDERS);
    }

    @Test
    @Timeout(60)
    void many_keys_are_redirected_in_steps_in_order_while_others_append_and_a_relay_sends() {
        var messages = new ArrayList<Message>();
        for (int i = 0; i < 1_800; i++) {
            messages.add(order("key-" + i % 600, i));
        }
        append(messages.toArray(Message[]::new));
        var leases = leaseAll("relay");
        refuseAll(leases, OnExhausted.PARK);

        var steps = new ArrayList<Long>();
        var appending = CompletableFuture.runAsync(() -> {
            for (int i = 1_800; i < 1_900; i++) {
                append(order("key-" + i % 600, i));
            }
        });
        var redirecting = CompletableFuture.runAsync(
                () -> operations().redirect(Selection.failed().to(ORDERS), ELSEWHERE, steps::add));
        var sent = new ArrayList<ClaimedMessage>();
        while (sent.size() < 1_900) {
            sent.addAll(sendAll(leases));
        }
        CompletableFuture.allOf(appending, redirecting).join();

        assertThat(steps).hasSizeGreaterThan(1).last().isEqualTo(600L);
        for (String destination : List.of(ORDERS, ELSEWHERE)) {
            var byKey = sent.stream()
                    .filter(message -> message.envelope().destination().equals(destination))
                    .collect(groupingBy(
                            message -> message.envelope().partitionKey(), mapping(ClaimedMessage::position, toList())));
            assertThat(byKey.values())
                    .allSatisfy(positions -> assertThat(positions).isSorted());
        }
        assertThat(sent.stream()
                        .filter(message -> message.envelope().destination().equals(ELSEWHERE)))
                .as("the refused ones and what was held behind them")
                .hasSizeGreaterThanOrEqualTo(1_800);
    }

    private long redirect(Selection selection) {
        return operations().by("ann").redirect(selection, ELSEWHERE, done -> {});
    }

    private List<String> texts(UUID id) {
        return found(id).attemptLog().entries().stream()
                .map(AttemptLog.Entry::text)
                .toList();
    }

    private void refuse(List<Lease> leases, ClaimedMessage message, String error, boolean last) {
        var settlements = Settlements.none();
        if (last) {
            settlements.failures().add(new Settlements.Failure(message, error, OnExhausted.PARK));
        } else {
            settlements.retries().add(new Settlements.Retry(message, error, Duration.ofHours(1)));
        }
        store.outboxStore().settle(leases, settlements);
    }

    /** The first message of each destination fails, the others are held. */
    private void refuseFirstOfEach(List<Lease> leases) {
        var settlements = Settlements.none();
        var seen = new ArrayList<String>();
        for (ClaimedMessage message : claimAll()) {
            String destination = message.envelope().destination();
            if (seen.contains(destination)) {
                settlements.held().add(message);
            } else {
                seen.add(destination);
                settlements.failures().add(new Settlements.Failure(message, "no", OnExhausted.PARK));
            }
        }
        store.outboxStore().settle(leases, settlements);
    }
}
