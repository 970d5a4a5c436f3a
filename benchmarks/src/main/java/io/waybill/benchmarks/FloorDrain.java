package io.waybill.benchmarks;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import java.util.stream.IntStream;

/** The floor: what plain SQL reaches with the same rows, the same batches and as many threads. */
final class FloorDrain implements Drain {

    private static final int INSERTED_AT_ONCE = 10_000;

    private final Database database;
    private final FloorTable table;
    private final AtomicLong published = new AtomicLong();

    private final FloorSender sender;

    private FloorDrain(Database database, FloorTable table, FloorSender sender) {
        this.database = database;
        this.table = table;
        this.sender = sender;
    }

    /** Sends to nobody. */
    static Factory with(FloorTable table) {
        return with(table, () -> rows -> {});
    }

    static Factory with(FloorTable table, Supplier<FloorSender> sender) {
        return database -> {
            table.create(database);
            return new FloorDrain(database, table, sender.get());
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
            try (var relay = new FloorRelay(database, table, loop, this::send)) {
                int sent;
                do {
                    sent = relay.runOnce();
                } while (sent > 0 && published.get() < messages);
            }
        });
        return published.get();
    }

    private void send(List<FloorRelay.Row> rows) {
        sender.send(rows);
        published.addAndGet(rows.size());
    }

    @Override
    public void close() {
        sender.close();
    }
}
