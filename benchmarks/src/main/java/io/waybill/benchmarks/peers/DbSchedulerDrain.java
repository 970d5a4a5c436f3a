package io.waybill.benchmarks.peers;

import com.github.kagkarlsson.scheduler.Scheduler;
import com.github.kagkarlsson.scheduler.task.TaskInstance;
import com.github.kagkarlsson.scheduler.task.helper.OneTimeTask;
import com.github.kagkarlsson.scheduler.task.helper.Tasks;
import io.waybill.benchmarks.workload.BenchmarkDatabase;
import io.waybill.benchmarks.workload.Drain;
import io.waybill.benchmarks.workload.Patience;
import io.waybill.benchmarks.workload.Workload;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;

/**
 * db-scheduler: one one-time task for each message, polled by lock-and-fetch (its strategy for throughput), deleted after it
 * has run.
 */
public final class DbSchedulerDrain implements Drain {

    private static final int THREADS = 8;
    private static final double FETCH_BELOW = 1.0;
    private static final double FETCH_UP_TO = 20.0;
    private static final Duration LONGEST = Duration.ofMinutes(10);

    /** Its own table definition for PostgreSQL, without what priorities need. */
    static final String TABLE = """
            CREATE TABLE scheduled_tasks (
                task_name            TEXT NOT NULL,
                task_instance        TEXT NOT NULL,
                task_data            BYTEA,
                execution_time       TIMESTAMPTZ NOT NULL,
                picked               BOOLEAN NOT NULL,
                picked_by            TEXT,
                last_success         TIMESTAMPTZ,
                last_failure         TIMESTAMPTZ,
                consecutive_failures INT,
                last_heartbeat       TIMESTAMPTZ,
                version              BIGINT NOT NULL,
                priority             SMALLINT,
                PRIMARY KEY (task_name, task_instance))
            """;

    static final String EXECUTION_TIME = """
            CREATE INDEX execution_time_idx ON scheduled_tasks (execution_time)
            """;
    static final String HEARTBEAT = """
            CREATE INDEX last_heartbeat_idx ON scheduled_tasks (last_heartbeat)
            """;

    private final AtomicLong executed = new AtomicLong();
    private final OneTimeTask<String> task;
    private final Scheduler scheduler;

    public DbSchedulerDrain(BenchmarkDatabase database) throws SQLException {
        database.execute(TABLE, EXECUTION_TIME, HEARTBEAT);
        this.task = Tasks.oneTime("message", String.class).execute((instance, context) -> executed.incrementAndGet());
        this.scheduler = Scheduler.create(database.pool(), task)
                .threads(THREADS)
                .pollUsingLockAndFetch(FETCH_BELOW, FETCH_UP_TO)
                .pollingInterval(Duration.ofMillis(50))
                .build();
    }

    @Override
    public void fill(int messages) {
        Instant due = Instant.now();
        scheduler.scheduleBatch(
                IntStream.range(0, messages)
                        .<TaskInstance<?>>mapToObj(
                                number -> task.instance("n" + number, Workload.USUAL.payload(number)))
                        .toList(),
                due);
    }

    @Override
    public long drain(int messages) {
        scheduler.start();
        Patience.in(LONGEST).await(() -> executed.get() >= messages, () -> executed + " of " + messages);
        return executed.get();
    }

    @Override
    public void close() {
        scheduler.stop();
    }
}
