package io.waybill.benchmarks.latency;

import io.waybill.benchmarks.floor.FloorRelay;
import io.waybill.benchmarks.floor.FloorTable;
import io.waybill.benchmarks.workload.BenchmarkDatabase;
import io.waybill.benchmarks.workload.Patience;
import io.waybill.benchmarks.workload.Workload;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import javax.sql.DataSource;

/** The hand-written loop that polls: select, publish, delete; when there was nothing, a pause. */
final class FloorLive implements Live {

    private final DataSource pool;
    private final Latencies latencies;
    private final Duration pause;
    private final FloorRelay relay;
    private final Thread thread;
    private volatile boolean stopping;

    private FloorLive(BenchmarkDatabase database, Latencies latencies, Duration pause) throws SQLException {
        this.pool = database.pool();
        this.latencies = latencies;
        this.pause = pause;
        this.relay = new FloorRelay(database, FloorTable.DELETE, 0, this::publish);
        this.thread = new Thread(this::run, "plain-loop");
    }

    static Factory pollingEvery(Duration pause) {
        return (database, latencies) -> {
            FloorTable.DELETE.create(database);
            var live = new FloorLive(database, latencies, pause);
            live.thread.start();
            return live;
        };
    }

    @Override
    public void append(int number) throws SQLException {
        try (Connection connection = pool.getConnection();
                PreparedStatement insert = connection.prepareStatement(FloorTable.INSERT)) {
            connection.setAutoCommit(false);
            insert.setString(1, Workload.USUAL.key(number));
            insert.setString(2, Workload.DESTINATION);
            insert.setString(3, Workload.USUAL.payload(number));
            insert.executeUpdate();
            latencies.committing(number);
            connection.commit();
        }
    }

    @Override
    public void close() throws Exception {
        stopping = true;
        thread.join();
        relay.close();
    }

    private void run() {
        try {
            while (!stopping) {
                if (relay.runOnce() == 0) {
                    Patience.pause(pause);
                }
            }
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    private void publish(List<FloorRelay.Row> rows) {
        long now = System.nanoTime();
        rows.forEach(row -> latencies.published(row.payload(), now));
    }
}
