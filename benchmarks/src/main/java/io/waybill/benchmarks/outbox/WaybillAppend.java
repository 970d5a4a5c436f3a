package io.waybill.benchmarks.outbox;

import io.waybill.benchmarks.workload.BenchmarkDatabase;
import io.waybill.benchmarks.workload.Workload;
import io.waybill.jdbc.JdbcStore;
import java.sql.Connection;
import java.sql.SQLException;

/** {@code outbox.append} inside our transactions. */
record WaybillAppend(JdbcStore store) implements Append {

    static Append on(BenchmarkDatabase database) throws SQLException {
        database.execute(ORDERS);
        return new WaybillAppend(JdbcStore.on(database.pool()).initializeSchema());
    }

    @Override
    public void withOrder(int number) {
        store.transactions().inTransaction(transaction -> {
            try {
                Append.insertOrder(transaction.unwrap(Connection.class), number);
            } catch (SQLException e) {
                throw new IllegalStateException(e);
            }
            return store.outbox().append(Workload.USUAL.message(number));
        });
    }

    @Override
    public void batch(int from, int count) {
        store.transactions()
                .inTransaction(transaction -> store.outbox().append(Workload.USUAL.messages(from, from + count)));
    }
}
