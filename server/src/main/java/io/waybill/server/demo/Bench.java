package io.waybill.server.demo;

import io.waybill.Time;
import io.waybill.WaybillException;
import io.waybill.jdbc.JdbcStore;
import io.waybill.jdbc.schema.JdbcStoreOptions;
import io.waybill.message.Envelope;
import io.waybill.message.Message;
import io.waybill.observe.RelayListener;
import io.waybill.relay.Relay;
import io.waybill.relay.RelayLoop;
import io.waybill.relay.route.RelayOptions;
import io.waybill.relay.route.Route;
import io.waybill.relay.route.Routes;
import io.waybill.server.cli.Progress;
import io.waybill.transport.Deadline;
import io.waybill.transport.Outcome;
import io.waybill.transport.Publisher;
import io.waybill.transport.Transport;
import java.io.PrintWriter;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** A bounded measurement on tables of its own, which are dropped whatever happens. */
final class Bench {

    private static final String DESTINATION = "bench";
    /** The least that is JSON. */
    static final int EMPTY_PAYLOAD = "{'x':''}".length();

    private static final int BATCH = 1_000;
    private static final int KEYS = 1_000;
    private static final int SINGLE_COMMITS = 200;
    private static final int WARM_UP = 20;
    private static final long PATIENCE_SECONDS = 30;

    private final int messages;
    private final String payload;
    private final PrintWriter err;
    private final CountDownLatch ended = new CountDownLatch(1);
    private volatile boolean stopping;
    private final String prefix =
            "waybill_bench_" + UUID.randomUUID().toString().substring(0, 6).toLowerCase(Locale.ROOT) + "_";

    Bench(int messages, int payloadBytes, PrintWriter err) {
        this.messages = messages;
        this.payload = "{\"x\":\"" + "x".repeat(payloadBytes - EMPTY_PAYLOAD) + "\"}";
        this.err = err;
    }

    /** What was measured; the slow ones are the 99th percentile. */
    record Result(
            double commitMedianMillis,
            double commitSlowMillis,
            double appendPerSecond,
            double drainPerSecond,
            double latencyMedianMillis,
            double latencySlowMillis) {}

    /** What the names of its tables begin with. */
    String prefix() {
        return prefix;
    }

    Result run(DataSource database) {
        var interrupted = new Thread(() -> stop(database));
        Runtime.getRuntime().addShutdownHook(interrupted);
        try {
            JdbcStore store = JdbcStore.on(database, JdbcStoreOptions.DEFAULT.withPrefix(prefix), Time.system())
                    .initializeSchema();
            double[] commits = singleCommits(store);
            double append = append(store);
            double drain = drain(store);
            double[] latencies = latencies(store);
            return new Result(
                    percentile(commits, 50),
                    percentile(commits, 99),
                    append,
                    drain,
                    percentile(latencies, 50),
                    percentile(latencies, 99));
        } finally {
            drop(database);
            ended.countDown();
            forget(interrupted);
        }
    }

    /** At Ctrl-C the measuring thread ends and drops the tables; if that takes too long, they are dropped from here. */
    private void stop(DataSource database) {
        stopping = true;
        try {
            if (!ended.await(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
                drop(database);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void checkNotStopped() {
        if (stopping) {
            throw new WaybillException("Interrupted: nothing was measured, and the tables are dropped.");
        }
    }

    private double[] singleCommits(JdbcStore store) {
        double[] millis = new double[SINGLE_COMMITS];
        for (int i = -WARM_UP; i < SINGLE_COMMITS; i++) {
            long start = System.nanoTime();
            commit(store, i, 1);
            if (i >= 0) {
                millis[i] = millisSince(start);
            }
        }
        return millis;
    }

    private double append(JdbcStore store) {
        long start = System.nanoTime();
        try (var steps = Progress.of(messages, "messages", "appended", err)) {
            for (int from = 0; from < messages; from += BATCH) {
                int count = Math.min(BATCH, messages - from);
                commit(store, from, count);
                steps.accept(from + count);
            }
        }
        return perSecond(messages, start);
    }

    private void commit(JdbcStore store, int from, int count) {
        checkNotStopped();
        List<Message> batch = IntStream.range(from, from + count)
                .mapToObj(number ->
                        Message.event("Bench", payload).to(DESTINATION).inOrderOf(Math.floorMod(number, KEYS)))
                .toList();
        store.transactions().inTransaction(transaction -> {
            store.outbox().append(batch);
            return count;
        });
    }

    private double drain(JdbcStore store) {
        int total = messages + SINGLE_COMMITS + WARM_UP;
        long start = System.nanoTime();
        var sent = new AtomicInteger();
        try (var steps = Progress.of(total, "messages", "sent", err);
                var relay = relay(store, batch -> {
                    int now = sent.addAndGet(batch.size());
                    if (now / 10_000 != (now - batch.size()) / 10_000) {
                        steps.accept(now);
                    }
                })) {
            long progress = System.nanoTime();
            while (sent.get() < total && millisSince(progress) < PATIENCE_SECONDS * 1e3) {
                checkNotStopped();
                progress = relay.runOnce() > 0 ? System.nanoTime() : progress;
            }
            if (sent.get() != total) {
                throw new WaybillException("Of " + total + " messages " + sent.get()
                        + " were sent: something else works on the tables " + prefix + "*.");
            }
            return perSecond(total, start);
        }
    }

    /** One message at a time, from sending its COMMIT to its publishing, with the relay in the same process. */
    private double[] latencies(JdbcStore store) {
        var published = new SynchronousQueue<Long>();
        double[] millis = new double[SINGLE_COMMITS];
        Relay relay = relay(store, batch -> offer(published));
        try (var loop = RelayLoop.start(relay, RelayOptions.DEFAULT)) {
            for (int i = -WARM_UP; i < SINGLE_COMMITS; i++) {
                long start = System.nanoTime();
                commit(store, i, 1);
                loop.wake();
                Long end = poll(published);
                if (end == null) {
                    throw new WaybillException("A message was not sent within " + PATIENCE_SECONDS
                            + " s. Try it again when the database rests.");
                }
                if (i >= 0) {
                    millis[i] = (end - start) / 1e6;
                }
            }
        }
        return millis;
    }

    private static void offer(SynchronousQueue<Long> published) {
        try {
            published.offer(System.nanoTime(), PATIENCE_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static @Nullable Long poll(SynchronousQueue<Long> published) {
        try {
            return published.poll(PATIENCE_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return null;
        }
    }

    /** Is notified of every batch. */
    private interface Told {
        void sent(List<Envelope> batch);
    }

    private static Relay relay(JdbcStore store, Told told) {
        Publisher accepting = (List<Envelope> batch, Deadline deadline) -> {
            told.sent(batch);
            return Publisher.oneByOne(batch, deadline, message -> new Outcome.Accepted());
        };
        return new Relay(
                store.outboxStore(),
                store.leaseStore(),
                Routes.of(Route.of("**", Transport.of(accepting))),
                RelayOptions.DEFAULT,
                Time.system(),
                RelayListener.NONE);
    }

    private void drop(DataSource database) {
        try (Connection connection = database.getConnection()) {
            for (String table : tables(connection)) {
                try (var statement = connection.createStatement()) {
                    statement.execute("DROP TABLE IF EXISTS " + table);
                }
            }
        } catch (SQLException e) {
            err.println("waybill: the tables " + prefix + "* could not be dropped (" + e.getMessage()
                    + "): drop them by hand.");
        }
    }

    private List<String> tables(Connection connection) throws SQLException {
        List<String> tables = new ArrayList<>();
        try (ResultSet rows = connection
                .getMetaData()
                .getTables(
                        connection.getCatalog(), connection.getSchema(), null, new String[] {"TABLE", "BASE TABLE"})) {
            while (rows.next()) {
                String name = rows.getString("TABLE_NAME");
                if (name.toLowerCase(Locale.ROOT).startsWith(prefix)) {
                    tables.add(name);
                }
            }
        }
        return tables;
    }

    private static void forget(Thread hook) {
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException e) {
            // This is the shutdown.
        }
    }

    private static double percentile(double[] values, int percent) {
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        return sorted[Math.min(sorted.length - 1, sorted.length * percent / 100)];
    }

    private static double perSecond(int count, long start) {
        return count / (millisSince(start) / 1e3);
    }

    private static double millisSince(long start) {
        return (System.nanoTime() - start) / 1e6;
    }
}
