package io.waybill.benchmarks.job;

import io.waybill.benchmarks.workload.BenchmarkDatabase;
import io.waybill.benchmarks.workload.Jobs;
import io.waybill.benchmarks.workload.Workload;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;

/** A queue as one writes it by hand: each thread has its part, and each job is a transaction of three statements. */
final class BareCommands extends Jobs {

    private static final int BATCH = 2_000;
    private static final String QUEUE = """
            CREATE TABLE floor_queue (
                id         BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
                part       INT NOT NULL,
                command_id UUID NOT NULL,
                number     INT NOT NULL,
                payload    TEXT NOT NULL)
            """;
    private static final String STATUS = """
            CREATE TABLE floor_command (
                command_id      UUID PRIMARY KEY,
                idempotency_key TEXT NOT NULL UNIQUE,
                payload         TEXT NOT NULL,
                status          TEXT NOT NULL,
                reply           TEXT)
            """;
    private static final String NEXT = """
            SELECT id, command_id, number, payload FROM floor_queue WHERE part = ? AND id > ? ORDER BY id LIMIT ?
            """;

    private final BenchmarkDatabase database;
    private final AtomicInteger finished = new AtomicInteger();
    private final List<Thread> threads = new ArrayList<>();

    BareCommands(BenchmarkDatabase database) throws SQLException {
        this.database = database;
        database.execute(QUEUE, STATUS, "CREATE INDEX ON floor_queue (part, id)");
    }

    private record Job(long id, UUID command, int number, String payload) {}

    @Override
    public void fill(int jobs) throws SQLException {
        try (Connection connection = database.pool().getConnection()) {
            connection.setAutoCommit(false);
            try (var queue = connection.prepareStatement(
                            "INSERT INTO floor_queue (part, command_id, number, payload) VALUES (?, ?, ?, ?)");
                    var status = connection.prepareStatement(
                            "INSERT INTO floor_command VALUES (?, ?, ?, 'PENDING', NULL)")) {
                for (int i = 0; i < jobs; i++) {
                    UUID command = UUID.randomUUID();
                    String payload = Workload.USUAL.payload(i);
                    queue.setInt(1, i % THREADS);
                    queue.setObject(2, command);
                    queue.setInt(3, i);
                    queue.setString(4, payload);
                    queue.addBatch();
                    status.setObject(1, command);
                    status.setString(2, "request-" + i);
                    status.setString(3, payload);
                    status.addBatch();
                }
                queue.executeBatch();
                status.executeBatch();
            }
            connection.commit();
        }
    }

    @Override
    public void start() {
        for (int i = 0; i < THREADS; i++) {
            int part = i;
            var thread = new Thread(() -> work(part), "floor-" + part);
            threads.add(thread);
            thread.start();
        }
    }

    private void work(int part) {
        try (Connection connection = database.pool().getConnection()) {
            connection.setAutoCommit(false);
            long last = 0;
            for (List<Job> jobs = next(connection, part, last); !jobs.isEmpty(); jobs = next(connection, part, last)) {
                for (Job job : jobs) {
                    run(connection, job);
                    last = job.id();
                }
            }
            finished.incrementAndGet();
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    private static List<Job> next(Connection connection, int part, long last) throws SQLException {
        try (PreparedStatement next = connection.prepareStatement(NEXT)) {
            next.setInt(1, part);
            next.setLong(2, last);
            next.setInt(3, BATCH);
            try (var rows = next.executeQuery()) {
                List<Job> jobs = new ArrayList<>();
                while (rows.next()) {
                    jobs.add(
                            new Job(rows.getLong(1), rows.getObject(2, UUID.class), rows.getInt(3), rows.getString(4)));
                }
                connection.commit();
                return jobs;
            }
        }
    }

    private void run(Connection connection, Job job) throws SQLException {
        try (var delete = connection.prepareStatement("DELETE FROM floor_queue WHERE id = ?");
                var status = connection.prepareStatement(
                        "UPDATE floor_command SET status = 'COMPLETED', reply = ? WHERE command_id = ?")) {
            delete.setLong(1, job.id());
            delete.executeUpdate();
            invoice(connection, job.number(), job.payload());
            status.setString(1, "{\"status\":\"completed\",\"data\":{}}");
            status.setObject(2, job.command());
            status.executeUpdate();
        }
        connection.commit();
    }

    @Override
    protected boolean isAllCommitted() {
        return finished.get() == THREADS;
    }

    @Override
    public void close() {
        for (Thread thread : threads) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
