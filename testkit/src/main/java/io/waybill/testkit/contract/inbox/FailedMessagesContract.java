package io.waybill.testkit.contract.inbox;

import static java.util.stream.Collectors.toSet;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.waybill.WaybillException;
import io.waybill.inbox.Retry;
import io.waybill.inbox.Subscriber;
import io.waybill.inbox.receive.ErrorSummary;
import io.waybill.message.Category;
import io.waybill.message.Envelope;
import io.waybill.message.Payload;
import io.waybill.ops.FailedMessages;
import io.waybill.ops.FailedMessages.Target;
import io.waybill.store.AttemptLog;
import io.waybill.store.failed.FailedMessage;
import io.waybill.store.failed.FailedSelection;
import io.waybill.store.failed.FailureGroup;
import io.waybill.store.outbox.ClaimedMessage;
import io.waybill.store.outbox.Lane;
import io.waybill.transport.Delivery;
import io.waybill.transport.WireReader;
import io.waybill.transport.wire.WireFormat;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** What an operator may rely on when messages could not be handled. */
public abstract class FailedMessagesContract extends ReceivingScenario {

    private static final String WHY = "the printer has ink again";

    @Test
    void they_are_listed_page_by_page_in_the_order_in_which_they_failed() {
        for (int i = 0; i < 7; i++) {
            fail("billing", "a", String.valueOf(i), new IllegalStateException("no ink"));
        }

        List<FailedMessage> first = operations().list(FailedSelection.all(), 0, 5);
        List<FailedMessage> second =
                operations().list(FailedSelection.all(), first.get(4).id(), 5);

        assertThat(numbers(first)).containsExactly("0", "1", "2", "3", "4");
        assertThat(numbers(second)).containsExactly("5", "6");
        var exported = new ArrayList<FailedMessage>();
        assertThat(operations().export(FailedSelection.all(), exported::add)).isEqualTo(7);
        assertThat(numbers(exported)).hasSize(7);
    }

    @Test
    void a_selection_takes_what_matches_everything_that_is_given() {
        fail("billing", "a", "1", new IllegalStateException("no INK_left"));
        fail("billing", "b", "2", new IllegalStateException("no ink"));
        fail("shipping", "a", "3", new IllegalArgumentException("no van"));

        assertThat(found(FailedSelection.all().notHandledBy("billing"))).containsExactly("1", "2");
        assertThat(found(FailedSelection.all().withError("ink_"))).containsExactly("1");
        assertThat(found(FailedSelection.all().inOrderOf("a"))).containsExactly("1", "3");
        assertThat(found(FailedSelection.all().inOrderOf("a").notHandledBy("billing")))
                .containsExactly("1");
        assertThat(found(FailedSelection.all().from(ORDERS).ofType("OrderPlaced")))
                .hasSize(3);
        assertThat(found(FailedSelection.all().from("elsewhere"))).isEmpty();
        assertThat(operations().count(FailedSelection.all().notHandledBy("billing")))
                .isEqualTo(2);
        assertThatThrownBy(() -> FailedSelection.all().inGroup("%")).isInstanceOf(WaybillException.class);
    }

    @Test
    void failures_with_the_same_reason_are_a_group_whatever_their_values() {
        for (int i = 0; i < 3; i++) {
            fail("billing", "a", "" + i, new IllegalStateException("no ink for " + i));
            store.clock().advance(Duration.ofMinutes(1));
        }
        fail("shipping", "a", "9", new IllegalStateException("no ink"));

        var groups = operations().groups(FailedSelection.all());

        assertThat(groups).hasSize(2);
        assertThat(groups.get(0).count()).isEqualTo(3);
        assertThat(groups.get(0).kind()).isEqualTo("IllegalStateException");
        assertThat(groups.get(0).handler()).isEqualTo("billing");
        assertThat(Duration.between(groups.get(0).first(), groups.get(0).last()))
                .isBetween(Duration.ofSeconds(110), Duration.ofSeconds(130));
        String beginning = groups.get(0).fingerprint().substring(0, 6);
        assertThat(found(FailedSelection.all().inGroup(beginning))).containsExactly("0", "1", "2");
    }

    @Test
    void what_is_rolled_back_did_not_fail() {
        try (var transaction = store.begin()) {
            store.failedStore()
                    .put(
                            transaction.current(),
                            ErrorSummary.of(message("a", "1"), "billing", 3, new IllegalStateException("no ink")));
        }

        assertThat(operations().list(FailedSelection.all(), 0, 10)).isEmpty();
    }

    @Test
    void a_retry_goes_to_the_handler_once_and_nobody_else_sees_it() {
        Delivery order = orders("1").get(0);
        receiving(invoiceUnless("1")).receive(List.of(order));
        assertThat(operations().retry(FailedSelection.all(), Target.HANDLER, WHY, done -> {}))
                .isEqualTo(new FailedMessages.Retried(1, 0));
        Envelope again = claimed(Retry.destinationOf(BILLING, ORDERS));

        var edited = Subscriber.ofText(BILLING, received -> {
            assertThat(received.message().id())
                    .isEqualTo(UUID.fromString(order.message().header("message-id")));
            assertThat(received.message().destination()).isEqualTo(ORDERS);
            assertThat(received.headers()).containsEntry("channel", "web").doesNotContainKey("waybill-retry");
            invoice().handle(received);
        });
        assertThat(store.inbox().receive(again, edited)).isTrue();
        assertThat(store.inbox().receive(again, edited)).isFalse();
        receiving(invoice()).receive(List.of(order));

        assertThat(invoiceNumbers()).containsExactly("1");
        assertThat(failed()).isEmpty();
    }

    @Test
    void a_retry_through_the_queue_is_taken_by_its_handler_and_recognised_by_others() {
        Delivery order = orders("1").get(0);
        receiving(invoiceUnless("1")).receive(List.of(order));
        var shipping = Subscriber.ofText("shipping", invoice());
        assertThat(store.inbox().receive(message(order), shipping)).isTrue();

        operations().retry(FailedSelection.all(), Target.QUEUE, WHY, done -> {});
        Envelope again = claimed(ORDERS);
        var wire = WireFormat.PLAIN.write(again, "");
        var delivered = new Delivery(ORDERS, again.key(), "", wire);

        receiving(invoice()).receive(List.of(delivered));
        receiving(invoice()).receive(List.of(delivered));
        assertThat(store.inbox().receive(again, shipping)).isFalse();

        assertThat(again.id()).isNotEqualTo(UUID.fromString(order.message().header("message-id")));
        assertThat(invoiceNumbers()).containsExactly("1", "1");
    }

    @Test
    void a_retry_that_fails_again_is_there_again() {
        receiving(invoiceUnless("1")).receive(orders("1"));
        long first = failed().get(0).id();
        operations().retry(FailedSelection.all(), Target.QUEUE, WHY, done -> {});
        Envelope again = claimed(ORDERS);

        receiving(invoiceUnless("1"))
                .receive(List.of(new Delivery(ORDERS, again.key(), "", WireFormat.PLAIN.write(again, ""))));

        assertThat(failed()).hasSize(1);
        assertThat(failed().get(0).id()).isGreaterThan(first);
        assertThat(failed().get(0).message().headers()).doesNotContainKey("waybill-retry");
        assertThat(failed().get(0).retries()).isEqualTo(1);
    }

    @Test
    void a_message_that_failed_again_after_a_retry_is_told_apart_and_keeps_its_history() {
        fail("billing", "a", "1", new IllegalStateException("no ink"));
        fail("billing", "b", "2", new IllegalStateException("no ink"));
        operations().by("ann").edit(failed().get(0).id(), Optional.of(Payload.text("3")), Map.of(), WHY);
        operations().by("eve").retry(FailedSelection.all().inOrderOf("a"), Target.HANDLER, WHY, done -> {});
        assertThat(operations().groups(FailedSelection.all()).get(0).failedAgain())
                .isZero();
        Envelope row = claimed(Retry.destinationOf("billing", ORDERS));
        failAgain(row, new IllegalStateException("no ink"));

        FailedMessage again = operations().list(FailedSelection.all().thatFailedAgain(), 0, 10).stream()
                .reduce((one, other) -> other)
                .orElseThrow();
        assertThat(again.message().payload().asText()).isEqualTo("3");
        assertThat(again.retries()).isEqualTo(1);
        assertThat(again.attemptLog().entries())
                .extracting(AttemptLog.Entry::text)
                .containsExactly(
                        "IllegalStateException: no ink",
                        "edited by ann",
                        "retried by eve",
                        "IllegalStateException: no ink");
        assertThat(operations().groups(FailedSelection.all()).stream()
                        .mapToLong(FailureGroup::failedAgain)
                        .sum())
                .isEqualTo(1);
        assertThat(operations().count(FailedSelection.all().thatFailedAgain())).isEqualTo(1);
        assertThat(found(FailedSelection.all())).containsExactly("2", "3");
    }

    /** As its handler in this process does when the last attempt fails. */
    private void failAgain(Envelope row, Exception error) {
        Retry retry = Retry.in(row);
        store.transactions().inTransaction(transaction -> {
            store.failedStore()
                    .put(
                            transaction,
                            ErrorSummary.of(retry.original(), retry.handler(), 3, error)
                                    .ofRow(row.id(), retry.retries()));
            return 0;
        });
    }

    @Test
    void a_large_retry_goes_in_steps_and_keeps_the_order() {
        store.transactions().inTransaction(transaction -> {
            for (int i = 0; i < 1_200; i++) {
                store.failedStore()
                        .put(
                                transaction,
                                ErrorSummary.of(message("a", "" + i), BILLING, 3, new IllegalStateException("no ink")));
            }
            return 0;
        });
        var steps = new ArrayList<Long>();

        assertThat(operations()
                        .retry(FailedSelection.all(), Target.HANDLER, WHY, steps::add)
                        .onTheirWay())
                .isEqualTo(1_200);

        assertThat(steps).startsWith(500L, 1_000L, 1_200L);
        assertThat(claimAll().stream()
                        .map(message ->
                                Integer.parseInt(message.envelope().payload().asText())))
                .isSorted()
                .hasSize(1_200);
    }

    @Test
    void a_retry_wakes_those_who_send_when_it_is_committed_and_not_before() {
        fail("billing", "a", "1", new IllegalStateException("no ink"));
        var seen = new ArrayList<Set<String>>();
        var operations = new FailedMessages(
                store.failedStore(),
                store.outboxStore(),
                store.transactions(),
                () -> seen.add(store.outboxStore().lanes().stream()
                        .map(Lane::destination)
                        .collect(toSet())));

        operations.retry(FailedSelection.all(), Target.HANDLER, WHY, done -> {});
        operations.discard(FailedSelection.all(), WHY, done -> {});

        assertThat(seen)
                .as("where whoever was woken found something to send")
                .hasSize(1)
                .allMatch(to -> to.size() == 1);
    }

    @Test
    void a_message_is_edited_and_then_retried() {
        fail("billing", "a", "{\"total\":oops}", new IllegalStateException("no number"));
        long id = failed().get(0).id();

        operations().edit(id, Optional.of(Payload.text("{\"total\":1}")), Map.of("channel", "", "by", "hand"), WHY);

        FailedMessage edited = operations().show(id);
        assertThat(edited.message().payload().asText()).isEqualTo("{\"total\":1}");
        assertThat(edited.message().headers()).containsEntry("by", "hand").doesNotContainKey("channel");
        assertThatThrownBy(() -> operations().edit(id, Optional.of(Payload.text("{")), Map.of(), WHY))
                .isInstanceOf(WaybillException.class)
                .hasMessageContaining("not JSON");
        assertThatThrownBy(() -> operations().show(id + 1)).hasMessageContaining("There is no failed message");
    }

    @Test
    void what_is_discarded_is_gone_and_needs_a_reason() {
        fail("billing", "a", "1", new IllegalStateException("no ink"));
        fail("shipping", "a", "2", new IllegalStateException("no van"));

        assertThatThrownBy(() -> operations().discard(FailedSelection.all(), " ", done -> {}))
                .hasMessageContaining("needs a reason");
        assertThat(operations().discard(FailedSelection.all().notHandledBy("billing"), WHY, done -> {}))
                .isEqualTo(1);

        assertThat(numbers(failed())).containsExactly("2");
    }

    private FailedMessages operations() {
        return new FailedMessages(store.failedStore(), store.outboxStore(), store.transactions());
    }

    private void fail(String handler, String key, String number, Exception error) {
        store.transactions().inTransaction(transaction -> {
            store.failedStore().put(transaction, ErrorSummary.of(message(key, number), handler, 3, error));
            return 0;
        });
    }

    private static Envelope message(String key, String number) {
        return new Envelope(
                UUID.randomUUID(),
                Category.EVENT,
                "OrderPlaced",
                ORDERS,
                key,
                key,
                Payload.text(number),
                Map.of("channel", "web"));
    }

    private static Envelope message(Delivery delivery) {
        return WireReader.read(delivery);
    }

    private List<String> found(FailedSelection selection) {
        return numbers(operations().list(selection, 0, 100));
    }

    private static List<String> numbers(List<FailedMessage> messages) {
        return messages.stream()
                .map(message -> message.message().payload().asText())
                .toList();
    }

    private List<String> invoiceNumbers() {
        return payloads(claimAll().stream()
                .filter(message -> message.envelope().destination().equals(INVOICES))
                .toList());
    }

    /** The one message that waits for this destination. */
    private Envelope claimed(String destination) {
        List<ClaimedMessage> waiting = claimAll().stream()
                .filter(message -> message.envelope().destination().equals(destination))
                .toList();
        assertThat(waiting).hasSize(1);
        return waiting.get(0).envelope();
    }
}
