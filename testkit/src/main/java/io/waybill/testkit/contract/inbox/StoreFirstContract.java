package io.waybill.testkit.contract.inbox;

import static org.assertj.core.api.Assertions.assertThat;

import io.waybill.message.Message;
import io.waybill.relay.RelayLoop;
import io.waybill.relay.route.RelayOptions;
import io.waybill.store.admin.Selection;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What is promised when messages are stored first by some receivers and not by others: what is stored goes first. */
public abstract class StoreFirstContract extends ParkedKeysScenario {

    private static final String DESTINATION = "waybill.handler.billing.orders";
    private static final String COUNTED = "waybill-retry-counted";

    @Test
    @Timeout(60)
    void a_receiver_that_does_not_store_any_more_overtakes_nothing_that_is_stored() {
        try (var storing = new Node(Way.STORED_FIRST)) {
            storing.arrive(KEY, numbers(1, 10));
        }
        try (var node = new Node(Way.FROM_A_BROKER)) {
            node.arrive(KEY, numbers(11, 15));
            assertThat(effects(KEY)).isEmpty();
            node.relay.runOnce();
            node.arrive(KEY, numbers(16, 20));
            node.exhaust();
            assertThat(effects(KEY)).containsExactlyElementsOf(list(numbers(1, 20)));

            int[] last = {20};
            until(() -> {
                node.arrive(KEY, ++last[0]);
                boolean directly = effects(KEY).contains(last[0]);
                node.relay.drain();
                return directly;
            });
            assertThat(effects(KEY)).containsExactlyElementsOf(list(numbers(1, last[0])));
        }
        assertThat(failed()).isEmpty();
    }

    @Test
    @Timeout(60)
    void receivers_of_both_kinds_keep_the_order_of_keys_that_move_between_them() {
        var random = new Random(20_261_118);
        List<String> keys = List.of("a", "b", "c", "d");
        int[] arrived = new int[keys.size()];
        RelayOptions options = SMALL_BATCHES.withHandlers(4);
        try (var storing = new Node(Way.STORED_FIRST, options);
                var direct = new Node(Way.FROM_A_BROKER, options);
                RelayLoop first = RelayLoop.start(storing.relay, options);
                RelayLoop second = RelayLoop.start(direct.relay, options)) {
            for (int step = 0; step < 150; step++) {
                int key = random.nextInt(keys.size());
                Node node = random.nextInt(4) == 0 ? storing : direct;
                for (int more = random.nextInt(4); more >= 0; more--) {
                    node.arrive(keys.get(key), ++arrived[key]);
                }
                first.wake();
                second.wake();
            }
            int all = IntStream.of(arrived).sum();
            until(() -> effects("").size() == all);
        }
        assertThat(failed()).isEmpty();
        for (int key = 0; key < keys.size(); key++) {
            assertThat(effects(keys.get(key))).containsExactlyElementsOf(list(numbers(1, arrived[key])));
        }
    }

    @Test
    @Timeout(60)
    void nobody_takes_the_stored_ones_for_handled_while_somebody_stores() throws Exception {
        CompletableFuture<Boolean> over;
        try (var before = store.begin()) {
            store.waitingKeys().addAll(before.current(), DESTINATION);
            before.commit();
        }
        try (var storing = store.begin()) {
            store.waitingKeys().addAll(storing.current(), DESTINATION);
            outboxIn(storing)
                    .append(Message.event("OrderPlaced", "1").to(DESTINATION).inOrderOf(KEY));
            over = CompletableFuture.supplyAsync(this::removeAll);
            try {
                assertThat(over.get(300, TimeUnit.MILLISECONDS)).isFalse();
            } catch (TimeoutException e) {
                assertThat(over).as("it waits for the transaction that stores").isNotDone();
            }
            storing.commit();
        }
        assertThat(over.get()).isFalse();
        assertThat(removeAll()).isFalse();
        store.admin().discard(Selection.all(), "handled", Long.MAX_VALUE, 100);
        assertThat(removeAll()).isTrue();
        assertThat(removeAll()).as("nothing is stored").isTrue();
    }

    private boolean removeAll() {
        return store.transactions()
                .inTransaction(transaction -> store.waitingKeys().removeAll(transaction, DESTINATION, COUNTED));
    }

    private static int[] numbers(int first, int last) {
        return IntStream.rangeClosed(first, last).toArray();
    }

    private static List<Integer> list(int... numbers) {
        return IntStream.of(numbers).boxed().toList();
    }
}
