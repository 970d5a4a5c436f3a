package io.waybill.testkit.contract.inbox;

import static org.assertj.core.api.Assertions.assertThat;

import io.waybill.message.Message;
import io.waybill.message.Payload;
import io.waybill.ops.FailedMessages.Retried;
import io.waybill.ops.FailedMessages.Target;
import io.waybill.relay.RelayLoop;
import io.waybill.relay.route.RelayOptions;
import io.waybill.store.AttemptLog;
import io.waybill.store.admin.Selection;
import io.waybill.store.failed.FailedMessage;
import io.waybill.store.failed.FailedSelection;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * What is promised of keys that are parked: whatever is retried, in whatever steps and while new messages arrive, the effects of a key come
 * once and in the order in which its messages came. An effect is a message that the handler appends.
 */
public abstract class ParkedKeysContract extends ParkedKeysScenario {

    /** How many messages a large retry has. */
    protected int many() {
        return 400;
    }

    @ParameterizedTest
    @EnumSource
    void the_history_of_a_parked_message_goes_on_through_its_retries(Way way) {
        try (var node = new Node(way)) {
            broken.add(KEY + 1);
            node.arrive(KEY, 1, 2);
            node.exhaust();
            assertThat(failed()).hasSize(2).noneMatch(FailedMessage::hasFailedAgain);

            operations().by("ann").retry(FailedSelection.all(), Target.HANDLER, WHY, done -> {});
            assertThat(failed()).noneMatch(FailedMessage::hasFailedAgain);
            node.exhaust();

            assertThat(failed()).extracting(FailedMessage::retries).containsExactly(1, 0);
            assertThat(numbers(operations().list(FailedSelection.all().thatFailedAgain(), 0, 10)))
                    .containsExactly("a1");
            assertThat(failed().get(0).attemptLog().entries())
                    .extracting(entry -> entry.text().replaceFirst("^.*IllegalStateException: ", ""))
                    .containsExactly(
                            "no ink for a1", "no ink for a1", "retried by ann", "no ink for a1", "no ink for a1");
            assertThat(failed().get(1).attemptLog().entries())
                    .extracting(AttemptLog.Entry::text)
                    .containsExactly("retried by ann");
        }
    }

    @ParameterizedTest
    @EnumSource
    void what_followed_the_first_message_of_a_key_follows_it_when_it_is_retried(Way way) {
        try (var node = new Node(way)) {
            breakFirst(node);

            Retried retried =
                    retry(FailedSelection.all().inGroup(failed().get(0).cause().fingerprint()));
            assertThat(retried).isEqualTo(new Retried(1, 0));
            node.arrive(KEY, 6);
            node.exhaust();
            node.arrive(KEY, 7);
            node.exhaust();
        }
        assertThat(effects(KEY)).containsExactly(1, 2, 3, 4, 5, 6, 7);
        assertThat(failed()).isEmpty();
    }

    @ParameterizedTest
    @EnumSource
    void followers_are_not_retried_without_the_first_message_of_their_key(Way way) {
        try (var node = new Node(way)) {
            breakFirst(node);
            List<FailedMessage> failed = failed();

            assertThat(retry(ids(failed.get(2), failed.get(4)))).isEqualTo(new Retried(0, 2));
            assertThat(retry(ids(failed.get(0), failed.get(2)))).isEqualTo(new Retried(1, 1));
            assertThat(retry(ids(failed.get(1)))).isEqualTo(new Retried(1, 0));
            node.exhaust();
        }
        assertThat(effects(KEY)).containsExactly(1, 2, 3, 4, 5);
    }

    @ParameterizedTest
    @EnumSource
    void a_retry_that_fails_midway_keeps_the_places_of_the_rest(Way way) {
        try (var node = new Node(way)) {
            breakFirst(node);
            broken.add(KEY + 3);

            retry(FailedSelection.all());
            node.arrive(KEY, 6);
            node.exhaust();
            assertThat(effects(KEY)).containsExactly(1, 2);
            assertThat(numbers(failed())).containsExactly("a3", "a4", "a5", "a6");
            assertThat(failed()).noneMatch(FailedMessage::isOnItsWay);

            broken.clear();
            retry(FailedSelection.all());
            node.exhaust();
        }
        assertThat(effects(KEY)).containsExactly(1, 2, 3, 4, 5, 6);
    }

    @Test
    void a_message_that_keeps_the_order_of_its_key_is_not_retried_through_a_queue() {
        try (var node = new Node(Way.FROM_A_BROKER)) {
            breakFirst(node);

            assertThat(operations().retry(FailedSelection.all(), Target.QUEUE, WHY, done -> {}))
                    .isEqualTo(new Retried(0, 5));
        }
        assertThat(failed()).hasSize(5).noneMatch(FailedMessage::isOnItsWay);
    }

    @Test
    void what_is_edited_or_discarded_while_it_is_on_its_way_is_not_handled_as_it_was() {
        try (var node = new Node(Way.OF_THIS_PROCESS)) {
            breakFirst(node);
            retry(FailedSelection.all());
            FailedMessage first = failed().get(0);

            operations().edit(first.id(), Optional.of(Payload.text("a10")), Map.of(), "typo");
            operations().discard(ids(failed().get(1)), "not needed", done -> {});
            node.exhaust();
            assertThat(effects(KEY)).isEmpty();

            retry(FailedSelection.all());
            node.exhaust();
        }
        assertThat(effects(KEY)).containsExactly(10, 3, 4, 5);
        assertThat(failed()).isEmpty();
    }

    @Test
    void a_retry_whose_message_is_gone_from_the_outbox_is_started_anew_by_the_id_of_the_first() {
        try (var node = new Node(Way.OF_THIS_PROCESS)) {
            breakFirst(node);
            retry(FailedSelection.all());
            store.admin().discard(Selection.all(), "by mistake", Long.MAX_VALUE, 100);
            node.exhaust();
            assertThat(effects(KEY)).isEmpty();

            assertThat(retry(ids(failed().get(0)))).isEqualTo(new Retried(1, 0));
            node.exhaust();
        }
        assertThat(effects(KEY)).containsExactly(1, 2, 3, 4, 5);
    }

    @ParameterizedTest
    @EnumSource(names = "OF_THIS_PROCESS", mode = EnumSource.Mode.EXCLUDE)
    void what_nobody_can_read_waits_for_its_turn_and_parks_what_comes_behind_it(Way way) {
        try (var node = new Node(way)) {
            broken.add(KEY + 1);
            node.arrive(KEY, 1, 2);
            node.arriveUnreadable(KEY, 3);
            node.arrive(KEY, 4);
            node.exhaust();
            assertThat(numbers(failed())).containsExactly("a1", "a2", "a3", "a4");

            broken.clear();
            retry(ids(failed().get(0)));
            node.exhaust();
            assertThat(effects(KEY)).containsExactly(1, 2);
            assertThat(numbers(failed())).containsExactly("a3", "a4");

            operations().discard(ids(failed().get(0)), "nobody can read it", done -> {});
            node.arrive(KEY, 5);
            node.exhaust();
            retry(FailedSelection.all());
            node.exhaust();
        }
        assertThat(effects(KEY)).containsExactly(1, 2, 4, 5);
    }

    @Test
    void what_nobody_can_read_parks_the_rest_of_its_batch() throws Exception {
        try (var node = new Node(Way.FROM_A_BROKER)) {
            node.receiver
                    .orElseThrow()
                    .receive(List.of(delivery(KEY, 1, "application/cloudevents+json"), delivery(KEY, 2, "text/plain")));
            node.exhaust();
        }
        assertThat(effects(KEY)).isEmpty();
        assertThat(numbers(failed())).containsExactly("a1", "a2");
    }

    @ParameterizedTest
    @EnumSource
    void retries_of_anything_at_any_time_keep_the_order(Way way) {
        var random = new Random(20_261_118 + way.name().length());
        List<String> keys = List.of("a", "b", "c");
        int[] arrived = new int[keys.size()];
        RelayOptions options =
                SMALL_BATCHES.withLeaseTime(Duration.ofSeconds(1)).withMessagesPerCommit(3);
        for (int round = 0; round < 25; round++) {
            try (var node = new Node(way, options);
                    var late = new Node(way, options)) {
                for (int step = 0; step < 6; step++) {
                    int key = random.nextInt(keys.size());
                    switch (random.nextInt(8)) {
                        case 0, 1, 2 -> {
                            String next = keys.get(key) + ++arrived[key];
                            if (random.nextInt(3) == 0) {
                                broken.add(next);
                            } else if (random.nextInt(6) == 0) {
                                crashing.add(next);
                            }
                            node.arrive(keys.get(key), arrived[key]);
                        }
                        case 3 -> broken.removeIf(number -> random.nextBoolean());
                        case 4 -> retrySome(random);
                        case 5 -> late.relay.runOnce();
                        case 6 -> node.relay.runOnce();
                        default -> node.relay.drain();
                    }
                }
                store.clock().advance(Duration.ofSeconds(2));
            }
        }
        broken.clear();
        try (var node = new Node(way)) {
            node.exhaust();
            for (int round = 0; round < 10 && !failed().isEmpty(); round++) {
                retry(FailedSelection.all());
                node.exhaust();
            }
        }

        assertThat(failed()).isEmpty();
        for (int key = 0; key < keys.size(); key++) {
            assertThat(effects(keys.get(key)))
                    .as("effects of " + keys.get(key))
                    .containsExactlyElementsOf(
                            IntStream.rangeClosed(1, arrived[key]).boxed().toList());
        }
    }

    private void retrySome(Random random) {
        List<FailedMessage> failed = failed();
        if (failed.isEmpty()) {
            return;
        }
        FailedMessage one = failed.get(random.nextInt(failed.size()));
        switch (random.nextInt(4)) {
            case 0 -> retry(FailedSelection.all());
            case 1 -> retry(FailedSelection.all().inGroup(one.cause().fingerprint()));
            case 2 -> retry(FailedSelection.all().inOrderOf(one.message().partitionKey()));
            default -> retry(ids(one, failed.get(random.nextInt(failed.size()))));
        }
    }

    @Test
    @Timeout(120)
    void a_large_retry_while_relays_run_and_messages_arrive_keeps_the_order() {
        int parked = many();
        int later = 200;
        int keys = 8;
        parkMany(parked, keys);
        RelayOptions options = SMALL_BATCHES.withHandlers(4);
        try (var node = new Node(Way.OF_THIS_PROCESS, options);
                RelayLoop loop = RelayLoop.start(node.relay, options)) {
            var retrying = new Thread(() ->
                    retry(FailedSelection.all().inGroup(failed().get(0).cause().fingerprint())));
            retrying.start();
            for (int number = parked; number < parked + later; number++) {
                node.arrive("k" + number % keys + "-", number);
                loop.wake();
            }
            until(() -> effects("k").size() == parked + later);
        }
        assertThat(failed()).isEmpty();
        for (int key = 0; key < keys; key++) {
            assertThat(effects("k" + key + "-"))
                    .hasSize((parked + later) / keys)
                    .isSorted();
        }
    }

    /** The first of each key has failed, and the others are behind it. */
    private void parkMany(int count, int keys) {
        broken.addAll(
                IntStream.range(0, keys).mapToObj(key -> "k" + key + "-" + key).toList());
        try (var node = new Node(Way.OF_THIS_PROCESS)) {
            store.transactions().inTransaction(transaction -> {
                for (int number = 0; number < count; number++) {
                    String key = "k" + number % keys + "-";
                    store.outbox()
                            .append(Message.event("OrderPlaced", key + number)
                                    .as("text/plain")
                                    .to(ORDERS)
                                    .inOrderOf(key));
                }
                return count;
            });
            node.exhaust();
        }
        assertThat(failed()).hasSize(count);
        broken.clear();
    }
}
