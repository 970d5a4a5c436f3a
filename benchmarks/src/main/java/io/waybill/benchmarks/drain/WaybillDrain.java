package io.waybill.benchmarks.drain;

import io.waybill.Time;
import io.waybill.benchmarks.workload.BenchmarkDatabase;
import io.waybill.benchmarks.workload.Drain;
import io.waybill.benchmarks.workload.Patience;
import io.waybill.benchmarks.workload.Workload;
import io.waybill.jdbc.JdbcStore;
import io.waybill.jdbc.schema.JdbcStoreOptions;
import io.waybill.message.Envelope;
import io.waybill.relay.route.RelayOptions;
import io.waybill.relay.route.Route;
import io.waybill.relay.route.Routes;
import io.waybill.transport.Deadline;
import io.waybill.transport.Outcome;
import io.waybill.transport.Publisher;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.function.UnaryOperator;

/** Our relays, as they are by default, sending to a sink. */
public final class WaybillDrain implements Drain {

    public static final JdbcStoreOptions KEEP = JdbcStoreOptions.DEFAULT;
    public static final JdbcStoreOptions REMOVE = JdbcStoreOptions.DEFAULT.withRetention(Duration.ZERO);

    private static final int APPENDED_AT_ONCE = 1_000;
    private static final Duration LONGEST = Duration.ofMinutes(10);

    private final Workload workload;
    private final JdbcStore store;
    private final Sink sink;
    private final RelayCrew relays;

    private WaybillDrain(Workload workload, JdbcStore store, Sink sink, RelayCrew relays) {
        this.workload = workload;
        this.store = store;
        this.sink = sink;
        this.relays = relays;
    }

    /** The usual messages, accepted at once. */
    public static Factory with(JdbcStoreOptions options, int relays) {
        return with(options, relays, Workload.USUAL);
    }

    /** One relay that claims so many messages at once. */
    public static Factory inBatchesOf(int size) {
        return database -> {
            JdbcStore store = JdbcStore.on(database.pool(), KEEP, Time.system()).initializeSchema();
            var sink = new AcceptingSink();
            RelayOptions options = RelayOptions.DEFAULT.withBatchSize(size);
            return new WaybillDrain(Workload.USUAL, store, sink, RelayCrew.of(1, store, Routes.of(to(sink)), options));
        };
    }

    public static Factory with(JdbcStoreOptions options, int relays, Workload workload) {
        return database -> on(database, options, relays, workload, new AcceptingSink(), UnaryOperator.identity());
    }

    /** One relay that sends to a broker. */
    public static Factory to(Publisher broker, JdbcStoreOptions options, Workload workload) {
        return to(List.of(broker), options, workload);
    }

    /** As many relays as there are publishers. */
    public static Factory to(List<Publisher> publishers, JdbcStoreOptions options, Workload workload) {
        return database -> on(
                database, options, publishers.size(), workload, new CountingSink(publishers), UnaryOperator.identity());
    }

    /** One relay, with a sink and a route of one's own. */
    public static Drain on(BenchmarkDatabase database, Sink sink, UnaryOperator<Route> route) {
        return on(database, KEEP, 1, Workload.USUAL, sink, route);
    }

    /** One relay that also has a route to where nobody answers. */
    public static Drain besideADeadDestination(BenchmarkDatabase database) {
        var sink = new AcceptingSink();
        return on(database, KEEP, 1, Workload.USUAL, sink, Routes.of(Route.of(Trouble.DEAD, new Away()), to(sink)));
    }

    private static WaybillDrain on(
            BenchmarkDatabase database,
            JdbcStoreOptions options,
            int relays,
            Workload workload,
            Sink sink,
            UnaryOperator<Route> route) {
        return on(database, options, relays, workload, sink, Routes.of(route.apply(to(sink))));
    }

    private static WaybillDrain on(
            BenchmarkDatabase database,
            JdbcStoreOptions options,
            int relays,
            Workload workload,
            Sink sink,
            Routes routes) {
        JdbcStore store = JdbcStore.on(database.pool(), options, Time.system()).initializeSchema();
        return new WaybillDrain(workload, store, sink, RelayCrew.of(relays, store, routes, RelayOptions.DEFAULT));
    }

    private static Route to(Sink sink) {
        return Route.of("**", sink);
    }

    private static final class Away implements Publisher {
        @Override
        public List<Outcome> publish(List<Envelope> batch, Deadline deadline) {
            return Collections.nCopies(batch.size(), new Outcome.Unavailable("nobody answers"));
        }
    }

    /** Appends in transactions of a thousand. */
    public static void append(JdbcStore store, Workload workload, int messages) {
        for (int from = 0; from < messages; from += APPENDED_AT_ONCE) {
            var batch = workload.messages(from, Math.min(messages, from + APPENDED_AT_ONCE));
            store.transactions().inTransaction(transaction -> store.outbox().append(batch));
        }
    }

    @Override
    public void fill(int messages) {
        append(store, workload, messages);
    }

    /** Until what was accepted by then has been settled as well; the relays give their shards back later. */
    @Override
    public long drain(int messages) {
        relays.start();
        var patience = Patience.in(LONGEST);
        patience.await(
                () -> sink.hasAll(messages), () -> sink.accepted() + " of " + messages + " messages were accepted");
        long accepted = sink.accepted();
        patience.await(
                () -> relays.settled() >= accepted, () -> relays.settled() + " of " + accepted + " were settled");
        return accepted;
    }

    @Override
    public void close() {
        relays.close();
    }
}
