package io.waybill.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.waybill.message.Envelope;
import io.waybill.message.Message;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** A checker that finds nothing wrong proves nothing: each promise is broken here, and found. */
class CommitOrderTest {

    private final CommitOrder order = new CommitOrder();
    private final Envelope first = message("first");
    private final Envelope second = message("second");

    @Test
    void one_transaction_goes_in_its_own_order() {
        appended("t1", first);
        appended("t1", second);
        order.committed("t1");

        assertThat(order.violations(List.of(first, second))).isEmpty();
        assertThat(order.violations(List.of(second, first)))
                .singleElement()
                .asString()
                .contains("same transaction");
    }

    @Test
    void what_was_committed_before_the_other_was_appended_goes_first() {
        appended("t1", first);
        order.committed("t1");
        appended("t2", second);
        order.committed("t2");

        assertThat(order.violations(List.of(first, second))).isEmpty();
        assertThat(order.violations(List.of(second, first)))
                .singleElement()
                .asString()
                .contains("was committed");
    }

    @Test
    void of_two_that_overlap_the_one_that_was_seen_goes_first() {
        appended("t1", first);
        appended("t2", second);
        order.committed("t2");
        order.looked();
        order.committed("t1");

        assertThat(order.violations(List.of(second, first))).isEmpty();
        assertThat(order.violations(List.of(first, second)))
                .singleElement()
                .asString()
                .contains("visible");
    }

    @Test
    void two_that_overlap_and_become_visible_together_go_either_way() {
        appended("t1", first);
        appended("t2", second);
        order.committed("t2");
        order.committed("t1");

        assertThat(order.violations(List.of(first, second))).isEmpty();
        assertThat(order.violations(List.of(second, first))).isEmpty();
    }

    @Test
    void what_came_twice_or_not_at_all_or_was_rolled_back_is_found() {
        appended("t1", first);
        order.committed("t1");
        appended("t2", second);

        assertThat(order.missing(List.of())).containsExactly(first.id());
        assertThat(order.missing(List.of(first))).isEmpty();
        assertThat(order.violations(List.of(first, first))).contains("first came twice");
        assertThat(order.violations(List.of(first, second)))
                .singleElement()
                .asString()
                .contains("never committed");
    }

    private void appended(String transaction, Envelope message) {
        order.appended(transaction, message.id());
    }

    private static Envelope message(String text) {
        return Message.event("Test", text)
                .as("text/plain")
                .to("orders")
                .inOrderOf("a")
                .seal(UUID::randomUUID);
    }
}
