package io.waybill.testkit.contract.relay;

import static org.assertj.core.api.Assertions.assertThat;

import io.waybill.WaybillException;
import io.waybill.message.Message;
import io.waybill.relay.Relay;
import io.waybill.relay.RelayLoop;
import io.waybill.relay.route.RelayOptions;
import io.waybill.relay.route.Route;
import io.waybill.relay.route.Routes;
import io.waybill.store.outbox.LeaseStore;
import io.waybill.testkit.OrderCheck;
import io.waybill.transport.Publisher;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What relays with different handlers on one database promise: whatever one of them can handle is handled, in order and once. */
public abstract class MixedRelaysContract extends RelayScenario {

    private static final RelayOptions BRISK = SMALL_BATCHES.withLeaseTime(Duration.ofSeconds(1));
    private static final int KEYS = 40;

    private int appended;

    @Test
    @Timeout(60)
    void what_the_owner_of_a_shard_cannot_handle_another_one_does() {
        try (var worker = start("a", "shared");
                var orchestrator = start("b", "shared")) {
            appendTo("a", "b", "shared");
            long since = System.nanoTime();
            until(this::isAllDone);
            assertThat(Duration.ofNanos(System.nanoTime() - since)).isLessThan(Duration.ofSeconds(15));
            appendTo("a", "b", "shared");
            until(this::isAllDone);
        }
        assertKept();
    }

    @Test
    @Timeout(60)
    void what_both_serve_is_sent_by_the_owner_of_the_shard() {
        var byOther = new AtomicInteger();
        Publisher counted = (batch, deadline) -> {
            byOther.addAndGet(batch.size());
            return broker.publish(batch, deadline);
        };
        try (var owner = relay(routes("a"), SMALL_BATCHES);
                var other = relay(Routes.of(handled("b"), Route.of("effects", counted)), SMALL_BATCHES)) {
            appendTo("a", "b");
            until(() -> owner.drain() + other.drain() == 0 && isAllDone());
            byOther.set(0);
            for (int key = 0; key < KEYS; key++) {
                append(Message.event("Effect", "{\"number\":" + appended++ + "}")
                        .to("effects")
                        .inOrderOf("key-" + key));
            }
            other.drain();
            assertThat(byOther)
                    .as("messages in shards of the owner are left to it")
                    .hasValueLessThan(KEYS);
            assertThat(isAllDone()).isFalse();
            owner.drain();
            assertThat(isAllDone()).isTrue();
        }
        assertKept();
    }

    @Test
    @Timeout(60)
    void three_kinds_of_relays_that_have_nothing_in_common_serve_everything() {
        try (var first = start("a");
                var second = start("b");
                var third = start("c")) {
            appendTo("a", "b", "c");
            until(this::isAllDone);
        }
        assertKept();
    }

    /** A rolling deploy: the new nodes have one handler more. */
    @Test
    @Timeout(60)
    void a_deploy_that_adds_a_handler_goes_on_while_old_and_new_nodes_run() {
        RelayLoop old = start("a", "shared");
        appendTo("a", "shared", "new");
        until(() -> done() == 2 * KEYS);
        try (var next = start("a", "shared", "new")) {
            until(this::isAllDone);
            appendTo("a", "shared", "new");
            until(this::isAllDone);
            old.close();
            appendTo("a", "shared", "new");
            until(this::isAllDone);
        }
        assertKept();
    }

    @Test
    @Timeout(60)
    void a_route_that_is_added_while_relays_run_is_served_in_every_shard() {
        Routes routes = routes("a");
        try (var first = start("a");
                var second = RelayLoop.start(relay(routes, BRISK), BRISK)) {
            appendTo("a", "late");
            until(() -> done() == KEYS);
            routes.append(handled("late"));
            until(this::isAllDone);
        }
        assertKept();
    }

    @Test
    @Timeout(60)
    void when_the_node_with_the_handler_dies_another_one_with_it_takes_over() {
        try (var orchestrator = start("a")) {
            Relay dying = relay(routes("b"), BRISK);
            appendTo("a", "b");
            until(() -> {
                dying.drain();
                return isAllDone();
            });
            appendTo("a", "b");
            long since = System.nanoTime();
            try (var worker = start("b")) {
                until(this::isAllDone);
            }
            assertThat(Duration.ofNanos(System.nanoTime() - since)).isLessThan(Duration.ofSeconds(20));
        }
        assertKept();
    }

    /** It has a lease above another's, is frozen until it has lost it, and wakes up in its handler. */
    @Test
    @Timeout(60)
    void a_relay_that_lost_a_lease_above_another_while_it_handled_settles_nothing() {
        var started = new CountDownLatch(1);
        var release = new CountDownLatch(1);
        try (var orchestrator = start("a")) {
            Relay frozen = relay(
                    Routes.of(Route.handled("b", store.transactions(), (message, transaction) -> {
                        started.countDown();
                        release.await(30, TimeUnit.SECONDS);
                        store.outbox().append(Message.event("Effect", "frozen").to("effects"));
                    })),
                    BRISK);
            append(message("b", 0, 0));
            appended = 1;
            until(() -> {
                frozen.runOnce();
                return started.getCount() == 0;
            });
            try (var worker = start("b")) {
                until(this::isAllDone);
                release.countDown();
                until(() -> {
                    frozen.drain();
                    return true;
                });
            }
            frozen.close();
        }
        assertThat(broker.payloads()).containsExactly("{\"number\":0}");
    }

    /** The database has taken the lease, and the relay heard of a broken connection. */
    @Test
    @Timeout(60)
    void a_lease_above_another_that_was_taken_without_an_answer_is_served_within_the_time_of_a_lease() {
        LeaseStore real = store.leaseStore();
        var lost = new AtomicInteger();
        LeaseStore losing = leases((method, arguments) -> {
            Object answer = method.invoke(real, arguments);
            if (takesAbove(method, arguments) && lost.getAndIncrement() == 0) {
                throw new WaybillException("The answer was lost.");
            }
            return answer;
        });
        try (var orchestrator = start("a")) {
            appendTo("a", "b");
            until(() -> done() == KEYS);
            try (var worker = RelayLoop.start(relay(losing, BRISK), BRISK)) {
                long since = System.nanoTime();
                until(this::isAllDone);
                assertThat(lost).hasPositiveValue();
                assertThat(Duration.ofNanos(System.nanoTime() - since)).isLessThan(Duration.ofSeconds(5));
            }
        }
        assertKept();
    }

    /** What the leases above the owners' are for: without them, the owners' shards wait. */
    @Test
    @Timeout(60)
    void a_relay_that_gets_no_lease_above_another_leaves_messages_waiting() {
        LeaseStore real = store.leaseStore();
        var refused = new AtomicInteger();
        LeaseStore ownersOnly = leases((method, arguments) -> {
            if (!takesAbove(method, arguments)) {
                return method.invoke(real, arguments);
            }
            refused.incrementAndGet();
            return List.of();
        });
        // Longer than any stall: a worker that takes over all shards, or begins with them, is right to serve them.
        RelayOptions patient = BRISK.withLeaseTime(Duration.ofSeconds(5));
        try (var orchestrator = RelayLoop.start(relay(routes("a"), patient), patient);
                var worker = RelayLoop.start(relay(ownersOnly, patient), patient)) {
            until(() -> refused.get() >= 3);
            appendTo("a", "b");
            until(() -> done() >= KEYS);
            int seen = refused.get();
            until(() -> refused.get() > seen);
            assertThat(isAllDone()).isFalse();
        }
    }

    private Relay relay(LeaseStore leases, RelayOptions options) {
        return new Relay(
                store.outboxStore(), leases, routes("b"), options, store.clock().time(), new Recorder());
    }

    private interface Call {
        Object of(Method method, Object[] arguments) throws Exception;
    }

    private static LeaseStore leases(Call call) {
        return (LeaseStore) Proxy.newProxyInstance(
                LeaseStore.class.getClassLoader(),
                new Class<?>[] {LeaseStore.class},
                (proxy, method, arguments) -> call.of(method, arguments));
    }

    private static boolean takesAbove(Method method, Object[] arguments) {
        return method.getName().equals("take")
                && ((Collection<?>) arguments[0])
                        .stream()
                                .anyMatch(wanted ->
                                        ((LeaseStore.Wanted) wanted).row().level() > 0);
    }

    /** Relays of four kinds come, go and die while messages are appended. */
    @Test
    @Timeout(120)
    void nothing_is_lost_doubled_or_reordered_while_relays_of_all_kinds_come_and_go() {
        var random = new Random(20_261_118);
        List<List<String>> kinds =
                List.of(List.of("a", "shared"), List.of("b", "shared"), List.of("a", "b"), List.of("shared"));
        List<RelayLoop> running = new ArrayList<>();
        for (int round = 0; round < 12; round++) {
            if (running.size() > 3 || (!running.isEmpty() && random.nextInt(3) == 0)) {
                running.remove(random.nextInt(running.size())).close();
            }
            running.add(start(kinds.get(random.nextInt(kinds.size())).toArray(String[]::new)));
            appendTo("a", "b", "shared");
            int expected = appended / 2;
            until(() -> done() >= Math.min(expected, appended) || random.nextInt(20) == 0);
        }
        running.add(start("a", "b", "shared"));
        until(this::isAllDone);
        running.forEach(RelayLoop::close);
        assertKept();
    }

    private RelayLoop start(String... destinations) {
        return RelayLoop.start(relay(routes(destinations), BRISK), BRISK);
    }

    /** Whoever handles a message appends what it did, to a broker that every relay can reach. */
    private Routes routes(String... destinations) {
        return Routes.of(
                Stream.concat(Stream.of(destinations).map(this::handled), Stream.of(Route.of("effects", broker)))
                        .toArray(Route[]::new));
    }

    private Route handled(String destination) {
        return Route.handled(
                destination,
                store.transactions(),
                (message, transaction) -> store.outbox()
                        .append(Message.event("Effect", message.payload().asText())
                                .to("effects")
                                .inOrderOf(destination + message.partitionKey())));
    }

    private void appendTo(String... destinations) {
        List<Message> messages = new ArrayList<>();
        for (int key = 0; key < KEYS; key++) {
            for (String destination : destinations) {
                messages.add(message(destination, key, appended++));
            }
        }
        append(messages.toArray(Message[]::new));
    }

    private static Message message(String destination, int key, int number) {
        return Message.event("Asked", "{\"number\":" + number + "}")
                .to(destination)
                .inOrderOf("key-" + key);
    }

    private int done() {
        return broker.accepted().size();
    }

    private boolean isAllDone() {
        return done() >= appended && store.statuses().isEmpty();
    }

    /** A relay that dies may have published what it did not settle: the broker gets that again, the same message. Effects happen once. */
    private void assertKept() {
        var seen = new HashSet<UUID>();
        OrderCheck check = check(
                broker.accepted().stream()
                        .filter(effect -> seen.add(effect.id()))
                        .toList(),
                appended);
        assertThat(check.lost()).isZero();
        assertThat(check.repeated()).isZero();
        assertThat(check.violations()).isEmpty();
    }
}
