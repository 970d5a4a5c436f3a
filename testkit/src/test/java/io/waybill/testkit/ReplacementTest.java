package io.waybill.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.waybill.message.Message;
import io.waybill.observe.RelayListener;
import io.waybill.relay.Relay;
import io.waybill.relay.route.RelayOptions;
import io.waybill.relay.route.Route;
import io.waybill.relay.route.Routes;
import io.waybill.testkit.memory.MemoryBroker;
import io.waybill.testkit.memory.MemoryStore;
import java.time.Duration;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** How long messages wait for a relay that died, with the options that everybody gets, by the clock of the store. */
class ReplacementTest {

    private static final Duration PROMISED = Duration.ofSeconds(15);
    private static final int MESSAGES = 1_000;
    private static final Duration STEP = Duration.ofMillis(500);

    private final ManualClock clock = ManualClock.now();
    private final MemoryStore store = new MemoryStore(clock.time());

    @Test
    void a_relay_that_died_right_after_a_renewal_is_replaced_within_15_seconds() {
        var died = new MemoryBroker();
        var survivor = new MemoryBroker();
        Relay first = relay(died);
        Relay second = relay(survivor);
        for (Duration passed = Duration.ZERO; passed.compareTo(PROMISED) < 0; passed = passed.plus(STEP)) {
            first.runOnce();
            second.runOnce();
            clock.advance(STEP);
        }
        first.runOnce();
        appendToEveryShard();

        Duration waited = Duration.ZERO;
        while (survivor.accepted().size() < MESSAGES && waited.compareTo(PROMISED) < 0) {
            clock.advance(STEP);
            waited = waited.plus(STEP);
            second.drain();
        }

        assertThat(survivor.accepted()).hasSize(MESSAGES);
        assertThat(died.accepted()).isEmpty();
        assertThat(waited).as("the lease had to end first").isGreaterThan(Duration.ofSeconds(9));
    }

    private void appendToEveryShard() {
        store.inTransaction(transaction -> {
            store.outbox()
                    .append(IntStream.range(0, MESSAGES)
                            .mapToObj(i -> Message.event("OrderPlaced", "{}")
                                    .to("orders.placed")
                                    .inOrderOf("order-" + i))
                            .toList());
            return MESSAGES;
        });
    }

    private Relay relay(MemoryBroker broker) {
        return new Relay(
                store,
                store.leases(),
                Routes.of(Route.of("**", broker)),
                RelayOptions.DEFAULT,
                clock.time(),
                RelayListener.NONE);
    }
}
