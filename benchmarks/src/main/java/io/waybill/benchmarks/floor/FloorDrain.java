package io.waybill.benchmarks.floor;

import io.waybill.benchmarks.floor.FloorRelay.Row;
import io.waybill.benchmarks.workload.BenchmarkDatabase;
import io.waybill.benchmarks.workload.Crew;
import io.waybill.benchmarks.workload.Drain;
import io.waybill.benchmarks.workload.Workload;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.stream.IntStream;

/** The floor: what plain SQL reaches with the same rows, the same batches and as many threads. */
public final class FloorDrain implements Drain {

    private static final int INSERTED_AT_ONCE = 10_000;

    private final BenchmarkDatabase database;
    private final FloorTable table;
    private final Consumer<List<Row>> publisher;
    private final AtomicLong published = new AtomicLong();

    private FloorDrain(BenchmarkDatabase database, FloorTable table, Consumer<List<Row>> publisher) {
        this.database = database;
        this.table = table;
        this.publisher = publisher;
    }

    /** To a sink in memory. */
    public static Factory with(FloorTable table) {
        return with(table, rows -> {});
    }

    /** To a broker; the publisher returns when the broker has the rows. */
    public static Factory with(FloorTable table, Consumer<List<Row>> publisher) {
        return database -> {
            table.create(database);
            return new FloorDrain(database, table, publisher);
        };
    }

    @Override
    public void fill(int messages) throws SQLException {
        try (Connection connection = database.pool().getConnection();
                PreparedStatement insert = connection.prepareStatement(table.insertMany())) {
            for (int from = 0; from < messages; from += INSERTED_AT_ONCE) {
                int[] numbers = IntStream.range(from, Math.min(messages, from + INSERTED_AT_ONCE))
                        .toArray();
                insert.setString(1, Workload.DESTINATION);
                insert.setArray(
                        2,
                        connection.createArrayOf(
                                "text",
                                IntStream.of(numbers)
                                        .mapToObj(Workload.USUAL::key)
                                        .toArray()));
                insert.setArray(
                        3,
                        connection.createArrayOf(
                                "text",
                                IntStream.of(numbers)
                                        .mapToObj(Workload.USUAL::payload)
                                        .toArray()));
                insert.executeUpdate();
            }
        }
    }

    @Override
    public long drain(int messages) throws Exception {
        Crew.run(table.loops, loop -> {
            try (var relay = new FloorRelay(database, table, loop, this::publish)) {
                int sent;
                do {
                    sent = relay.runOnce();
                } while (sent > 0 && published.get() < messages);
            }
        });
        return published.get();
    }

    private void publish(List<Row> rows) {
        publisher.accept(rows);
        published.addAndGet(rows.size());
    }
}
