package io.waybill.benchmarks.outbox;

import io.waybill.benchmarks.workload.BenchmarkDatabase;
import io.waybill.benchmarks.workload.Workload;
import io.waybill.jdbc.JdbcStore;
import io.waybill.message.UuidV7;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import javax.sql.DataSource;

/** INSERT by hand: into a table as people make it for a plain outbox, or into ours. */
final class BareAppend implements Append {

    private static final String PLAIN_TABLE = """
            CREATE TABLE plain_outbox (
                id            BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
                destination   TEXT NOT NULL,
                partition_key TEXT NOT NULL,
                payload       TEXT NOT NULL,
                headers       TEXT NOT NULL,
                created_at    TIMESTAMPTZ NOT NULL DEFAULT now())
            """;

    private final DataSource pool;
    private final Statement statement;

    private BareAppend(DataSource pool, Statement statement) {
        this.pool = pool;
        this.statement = statement;
    }

    static Append toPlainTable(BenchmarkDatabase database) throws SQLException {
        database.execute(ORDERS, PLAIN_TABLE);
        return new BareAppend(database.pool(), Statement.PLAIN);
    }

    static Append toOurTable(BenchmarkDatabase database) throws SQLException {
        database.execute(ORDERS);
        JdbcStore.on(database.pool()).initializeSchema();
        return new BareAppend(database.pool(), Statement.OURS);
    }

    @Override
    public void withOrder(int number) throws SQLException {
        inTransaction(connection -> {
            Append.insertOrder(connection, number);
            insert(connection, number, 1);
        });
    }

    @Override
    public void batch(int from, int count) throws SQLException {
        inTransaction(connection -> insert(connection, from, count));
    }

    private void insert(Connection connection, int from, int count) throws SQLException {
        try (PreparedStatement insert = connection.prepareStatement(statement.sql(count))) {
            int parameter = 1;
            for (int number = from; number < from + count; number++) {
                parameter = statement.bind(insert, parameter, number);
            }
            insert.executeUpdate();
        }
    }

    private void inTransaction(Work work) throws SQLException {
        try (Connection connection = pool.getConnection()) {
            connection.setAutoCommit(false);
            work.run(connection);
            connection.commit();
        }
    }

    @FunctionalInterface
    private interface Work {
        void run(Connection connection) throws SQLException;
    }

    /** INSERT with as many rows as wanted. */
    private enum Statement {
        PLAIN("INSERT INTO plain_outbox (destination, partition_key, payload, headers) VALUES ", "(?, ?, ?, '')") {
            @Override
            int bind(PreparedStatement insert, int parameter, int number) throws SQLException {
                insert.setString(parameter, Workload.DESTINATION);
                insert.setString(parameter + 1, Workload.USUAL.key(number));
                insert.setString(parameter + 2, Workload.USUAL.payload(number));
                return parameter + 3;
            }
        },
        OURS("INSERT INTO outbox (outbox_id, destination, partition_key, payload) VALUES ", "(?, ?, ?, ?)") {
            @Override
            int bind(PreparedStatement insert, int parameter, int number) throws SQLException {
                insert.setObject(parameter, UuidV7.SYSTEM.get());
                return PLAIN.bind(insert, parameter + 1, number);
            }
        };

        private final String insert;
        private final String row;

        Statement(String insert, String row) {
            this.insert = insert;
            this.row = row;
        }

        String sql(int rows) {
            return insert + row + (", " + row).repeat(rows - 1);
        }

        /** Sets one row; returns the next free parameter. */
        abstract int bind(PreparedStatement insert, int parameter, int number) throws SQLException;
    }
}
