package io.waybill.testkit.contract.relay;

import static org.assertj.core.api.Assertions.assertThat;

import io.waybill.message.Envelope;
import io.waybill.observe.RelayListener;
import io.waybill.relay.Relay;
import io.waybill.relay.route.RelayOptions;
import io.waybill.relay.route.Route;
import io.waybill.relay.route.Routes;
import io.waybill.store.outbox.LeaseStore;
import io.waybill.testkit.OrderCheck;
import io.waybill.testkit.contract.support.StoreContract;
import io.waybill.testkit.memory.MemoryBroker;
import io.waybill.transport.Outcome;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/** What the contracts of a relay have in common: two brokers, relays that send to them, and a record of what relays say. */
public abstract class RelayScenario extends StoreContract {

    /** With leases that outlast what tests skip of the time. */
    public static final RelayOptions SMALL_BATCHES =
            RelayOptions.DEFAULT.withBatchSize(200).withLeaseTime(Duration.ofMinutes(1));

    public final MemoryBroker broker = new MemoryBroker();
    public final MemoryBroker other = new MemoryBroker();
    final List<String> events = new ArrayList<>();

    public Relay relay() {
        return relay(route -> route);
    }

    Relay relay(UnaryOperator<Route> change) {
        return relay(Routes.of(change.apply(Route.of("**", broker))));
    }

    public Relay relay(Routes routes) {
        return relay(routes, SMALL_BATCHES);
    }

    public Relay relay(Routes routes, RelayOptions options) {
        return relay(LeaseStore.DEFAULT_POOL, routes, options);
    }

    Relay relay(String pool, Routes routes, RelayOptions options) {
        return new Relay(
                store.outboxStore(),
                store.leaseStore(pool),
                routes,
                options,
                store.clock().time(),
                new Recorder());
    }

    /** A relay with three attempts whose shards are taken over after a second without a sign of life. */
    Relay impatient(MemoryBroker broker) {
        return relay(
                Routes.of(Route.of("**", broker).maxAttempts(3)), SMALL_BATCHES.withLeaseTime(Duration.ofSeconds(1)));
    }

    /** Lets a message be refused that many times. */
    public void outlast(Relay relay, int attempts) {
        for (int i = 0; i < attempts; i++) {
            relay.drain();
            store.clock().advance(Duration.ofSeconds(61));
        }
        relay.drain();
    }

    /** Lets time pass, the test's and the database's, until it is so. */
    public void until(BooleanSupplier condition) {
        long deadline = System.nanoTime() + Duration.ofSeconds(30).toNanos();
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime()).as("gave up waiting").isLessThan(deadline);
            store.clock().advance(Duration.ofMillis(20));
            LockSupport.parkNanos(Duration.ofMillis(20).toNanos());
        }
    }

    static Function<Envelope, Outcome> refuse(String payload) {
        return message -> message.payload().asText().equals(payload)
                ? new Outcome.Refused("not this one")
                : new Outcome.Accepted();
    }

    static OrderCheck check(List<Envelope> received, int expected) {
        return OrderCheck.of(received, expected, RelayScenario::number);
    }

    /** The number in the payload of an {@link #order}. */
    static long number(Envelope message) {
        return Long.parseLong(message.payload().asText().replaceAll("\\D", ""));
    }

    final class Recorder implements RelayListener {
        @Override
        public void retried(Envelope message, int attempts, String error, Duration delay) {
            add("retried " + message.payload().asText() + " after " + attempts);
        }

        @Override
        public void failed(Envelope message, int attempts, String error) {
            add("failed " + message.payload().asText() + " after " + attempts);
        }

        @Override
        public void paused(String destination, String reason, boolean misconfigured) {
            add((misconfigured ? "misconfigured " : "paused ") + destination);
        }

        @Override
        public void resumed(String destination) {
            add("resumed " + destination);
        }

        @Override
        public void unsettled(int messages) {
            add("unsettled " + messages);
        }

        @Override
        public void leasesLost(int lost) {
            add("lost " + lost);
        }

        @Override
        public void leasesChanged(int owned) {
            add("owns " + owned);
        }

        private void add(String event) {
            synchronized (events) {
                events.add(event);
            }
        }
    }
}
