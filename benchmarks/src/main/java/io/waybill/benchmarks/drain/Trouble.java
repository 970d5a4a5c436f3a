package io.waybill.benchmarks.drain;

import io.waybill.benchmarks.workload.BenchmarkDatabase;
import io.waybill.benchmarks.workload.Drain;
import io.waybill.benchmarks.workload.Workload;
import java.sql.SQLException;
import java.util.List;
import java.util.Locale;

/**
 * Rows that cannot be sent, written before the healthy ones.
 *
 * @param name as it is called in the table of results
 */
public record Trouble(String name, List<String> statements) {

    /** Nothing can be sent there. */
    static final String DEAD = "dead.letters";

    private static final int FOLLOWERS = 5;

    /** Rows of a thousand keys for a destination that is away. */
    public static Trouble deadDestination(int rows) {
        return new Trouble(count(rows) + " rows of a dead destination", List.of(sql("""
                INSERT INTO outbox (destination, partition_key, payload)
                SELECT '%s', 'key-' || n %% 1000, '{"n":' || n || ',"text":"' || repeat('Waybill ', 60) || '"}'
                  FROM generate_series(1, %d) n
                """, DEAD, rows)));
    }

    /** Keys of the healthy destination itself whose first message has failed. */
    public static Trouble blockedKeys(int keys) {
        return new Trouble(
                count(keys) + " blocked keys with " + FOLLOWERS + " followers each",
                List.of(sql("""
                INSERT INTO outbox (destination, partition_key, payload, status, retry_count, last_error)
                SELECT '%s', 'blocked-' || n, '{"n":' || n || '}', 'FAILED', 10, 'refused'
                  FROM generate_series(1, %d) n
                """, Workload.DESTINATION, keys), """
                INSERT INTO outbox_blocked_key (destination, partition_key, shard, outbox_id, reason)
                SELECT destination, partition_key, hashtextextended(partition_key, 0) & 63, outbox_id, 'PARK'
                  FROM outbox WHERE status = 'FAILED'
                """, sql("""
                INSERT INTO outbox (destination, partition_key, payload, status)
                SELECT '%s', 'blocked-' || n, '{"n":' || f || '}', 'HELD'
                  FROM generate_series(1, %d) n, generate_series(1, %d) f
                """, Workload.DESTINATION, keys, FOLLOWERS)));
    }

    /** The same drain, with this in the table. */
    public Drain.Factory beside(Drain.Factory drain) {
        return database -> new Beside(database, drain.on(database), this);
    }

    private static String sql(String template, Object... values) {
        return String.format(Locale.ROOT, template, values);
    }

    private static String count(int number) {
        return String.format(Locale.ROOT, "%,d", number);
    }

    private record Beside(BenchmarkDatabase database, Drain drain, Trouble trouble) implements Drain {

        @Override
        public void fill(int messages) throws SQLException {
            database.execute(trouble.statements.toArray(String[]::new));
            drain.fill(messages);
        }

        @Override
        public long drain(int messages) throws Exception {
            return drain.drain(messages);
        }

        @Override
        public void close() throws Exception {
            drain.close();
        }
    }
}
