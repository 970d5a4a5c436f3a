package io.waybill.testkit.contract.outbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.waybill.WaybillException;
import io.waybill.message.Message;
import io.waybill.ops.ScheduledOperations;
import io.waybill.ops.ScheduledOperations.Filter;
import io.waybill.store.admin.OutboxStatus;
import io.waybill.store.admin.ScheduledMessage;
import io.waybill.store.admin.ScheduledMessage.Position;
import io.waybill.store.admin.StoredMessage;
import io.waybill.testkit.contract.support.OperatorContract;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What an operator sees and changes of messages for later. */
public abstract class ScheduledMessagesContract extends OperatorContract {

    private static final Duration HOUR = Duration.ofHours(1);

    @Test
    void scheduled_messages_are_paged_in_the_order_of_their_time_without_gaps() {
        Instant begin = store.clock().instant();
        IntStream.range(0, 23).forEach(i -> schedule(order("a", i), HOUR.multipliedBy(1 + i % 5)));
        List<ScheduledMessage> seen = new ArrayList<>();
        Optional<Position> after = Optional.of(Position.START);
        while (after.isPresent()) {
            var page = scheduled().list(Filter.ALL, after.get(), 10);
            seen.addAll(page.items());
            after = page.next();
        }

        assertThat(seen).hasSize(23).extracting(ScheduledMessage::dueAt).isSorted();
        assertThat(seen).extracting(one -> one.envelope().id()).doesNotHaveDuplicates();
        assertThat(seen.get(0).dueAt())
                .isBetween(begin.plus(HOUR).minusSeconds(5), begin.plus(HOUR).plusSeconds(60));
        assertThat(seen.get(0).envelope().payload().asText()).isEmpty();
        assertThat(store.scheduledMessages()
                        .find(seen.get(0).envelope().id())
                        .orElseThrow()
                        .envelope()
                        .payload()
                        .asText())
                .startsWith("{\"number\":");
    }

    @Test
    void scheduled_messages_are_found_by_what_they_have_in_common() {
        UUID id = schedule(order("a", 1), HOUR);
        schedule(order("b", 2), HOUR);
        schedule(Message.event("Reminder", "{}").to("mails").inOrderOf("a"), HOUR);

        assertThat(count(new Filter(Set.of(), ORDERS, "", ""))).isEqualTo(2);
        assertThat(count(new Filter(Set.of(), "", "Reminder", ""))).isEqualTo(1);
        assertThat(count(new Filter(Set.of(), "", "", "a"))).isEqualTo(2);
        assertThat(count(new Filter(Set.of(id), ORDERS, "", "a"))).isEqualTo(1);
        assertThat(count(new Filter(Set.of(id), "mails", "", ""))).isZero();
        assertThat(scheduled().count(Filter.ALL)).isEqualTo(3);
    }

    @Test
    void a_message_that_an_operator_publishes_is_appended_before_its_time_and_once() {
        UUID now = schedule(order("a", 1), HOUR);
        schedule(order("a", 2), HOUR);

        scheduled().publish(now);

        assertThat(store.outboxStore().appendScheduled(10)).isEqualTo(1);
        assertThat(payloads(sendAll(leaseAll("relay")))).containsExactly(number(1));
        assertThat(scheduled().count(Filter.ALL)).isEqualTo(1);
        assertThatThrownBy(() -> scheduled().publish(now))
                .isInstanceOf(WaybillException.class)
                .hasMessageContaining(now.toString(), "is not scheduled any more");
        store.clock().advance(HOUR.plusSeconds(1));
        assertThat(store.outboxStore().appendScheduled(10)).isEqualTo(1);
    }

    @Test
    void a_discarded_message_stays_with_its_reason_and_is_never_published() {
        UUID id = schedule(order("a", 1).header("origin", "shop"), HOUR);
        UUID kept = schedule(order("b", 2), HOUR);

        assertThat(scheduled().discard(new Filter(Set.of(), "", "", "a"), "a test order", done -> {}))
                .isEqualTo(1);

        StoredMessage discarded = found(id);
        assertThat(discarded.status()).isEqualTo(OutboxStatus.DISCARDED);
        assertThat(discarded.error()).isEqualTo("a test order");
        assertThat(discarded.envelope().payload().asText()).isEqualTo(number(1));
        assertThat(discarded.envelope().headers()).containsEntry("origin", "shop");
        store.clock().advance(HOUR.plusSeconds(1));
        assertThat(store.outboxStore().appendScheduled(10)).isEqualTo(1);
        assertThat(sendAll(leaseAll("relay")))
                .extracting(message -> message.envelope().id())
                .containsExactly(kept);
    }

    @Test
    void many_scheduled_messages_are_discarded_step_by_step() {
        IntStream.range(0, 1_200).forEach(i -> schedule(order("key-" + i % 3, i), HOUR));
        var steps = new ArrayList<Long>();

        assertThat(scheduled().discard(Filter.ALL, "a test", steps::add)).isEqualTo(1_200);

        assertThat(steps).hasSizeGreaterThan(1).isSorted().last().isEqualTo(1_200L);
        assertThat(scheduled().count(Filter.ALL)).isZero();
        assertThat(scheduled().discard(Filter.ALL, "a test", steps::add)).isZero();
    }

    @Test
    void nothing_scheduled_is_discarded_without_a_reason() {
        schedule(order("a", 1), HOUR);

        assertThatThrownBy(() -> scheduled().discard(Filter.ALL, " ", done -> {}))
                .isInstanceOf(WaybillException.class)
                .hasMessageContaining("needs a reason");
        assertThat(scheduled().count(Filter.ALL)).isEqualTo(1);
    }

    private ScheduledOperations scheduled() {
        return new ScheduledOperations(store.scheduledMessages());
    }

    private long count(Filter filter) {
        return scheduled().list(filter, Position.START, 10).items().size();
    }

    private UUID schedule(Message message, Duration delay) {
        UUID id = UUID.randomUUID();
        store.transactions()
                .inTransaction(
                        transaction -> store.outbox().append(message.id(id).after(delay)));
        return id;
    }
}
