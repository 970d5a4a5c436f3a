package io.waybill.benchmarks.job;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.waybill.benchmarks.workload.BenchmarkDatabase;
import io.waybill.transport.Delivery;
import io.waybill.transport.Receiver;
import io.waybill.transport.wire.Headers;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import javax.sql.DataSource;

/** A loop as one writes it by hand: the inbox in one statement, the business rows behind it, one commit. */
final class HandWrittenReceiver implements Receiver {

    static final String INVOICE = "INSERT INTO invoice (order_number, payload) VALUES (?, ?)";

    private static final String RECORD = """
            INSERT INTO inbox (message_id, handler) SELECT id, 'billing' FROM unnest(?) AS id
                ON CONFLICT DO NOTHING RETURNING message_id
            """;

    private final DataSource pool;
    private final boolean batched;

    private HandWrittenReceiver(DataSource pool, boolean batched) {
        this.pool = pool;
        this.batched = batched;
    }

    static Receiver oneByOne(BenchmarkDatabase database) {
        return new HandWrittenReceiver(database.pool(), false);
    }

    static Receiver batched(BenchmarkDatabase database) {
        return new HandWrittenReceiver(database.pool(), true);
    }

    @Override
    public void receive(List<Delivery> batch) throws SQLException {
        try (Connection connection = pool.getConnection()) {
            connection.setAutoCommit(false);
            Set<String> fresh = record(connection, batch);
            try (PreparedStatement insert = connection.prepareStatement(INVOICE)) {
                for (Delivery delivery : batch) {
                    if (fresh.remove(id(delivery))) {
                        insert(insert, delivery);
                    }
                }
                if (batched) {
                    insert.executeBatch();
                }
            }
            connection.commit();
        }
    }

    private void insert(PreparedStatement insert, Delivery delivery) throws SQLException {
        insert.setString(1, delivery.key());
        insert.setString(2, new String(delivery.message().body(), UTF_8));
        if (batched) {
            insert.addBatch();
        } else {
            insert.executeUpdate();
        }
    }

    private static Set<String> record(Connection connection, List<Delivery> batch) throws SQLException {
        Object[] ids = batch.stream().map(HandWrittenReceiver::id).toArray();
        Set<String> fresh = new HashSet<>();
        try (PreparedStatement record = connection.prepareStatement(RECORD)) {
            record.setArray(1, connection.createArrayOf("varchar", ids));
            try (var rows = record.executeQuery()) {
                while (rows.next()) {
                    fresh.add(rows.getString(1));
                }
            }
        }
        return fresh;
    }

    private static String id(Delivery delivery) {
        return delivery.message().header(Headers.MESSAGE_ID);
    }
}
