package io.waybill.benchmarks.drain;

import io.waybill.benchmarks.workload.BenchmarkDatabase;
import io.waybill.benchmarks.workload.Drain;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;

/**
 * A session that holds an old snapshot, as a report or a backup does: the remains of what is deleted meanwhile must stay in
 * tables and indexes.
 */
public final class HeldSnapshot implements AutoCloseable {

    private final Connection connection;

    private HeldSnapshot(Connection connection) {
        this.connection = connection;
    }

    static HeldSnapshot in(BenchmarkDatabase database) throws SQLException {
        Connection connection = database.pool().getConnection();
        connection.setAutoCommit(false);
        connection.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
        try (Statement statement = connection.createStatement()) {
            statement.execute("SELECT 1 FROM pg_class LIMIT 1");
        }
        return new HeldSnapshot(connection);
    }

    @Override
    public void close() throws SQLException {
        connection.rollback();
        connection.close();
    }

    /** The same drain, while a snapshot from before the first message is held. */
    public static Drain.Factory during(Drain.Factory drain) {
        return database -> new HeldDuring(HeldSnapshot.in(database), drain.on(database));
    }

    private record HeldDuring(HeldSnapshot snapshot, Drain drain) implements Drain {

        @Override
        public void fill(int messages) throws SQLException {
            drain.fill(messages);
        }

        @Override
        public long drain(int messages) throws Exception {
            return drain.drain(messages);
        }

        @Override
        public void close() throws Exception {
            drain.close();
            snapshot.close();
        }
    }
}
