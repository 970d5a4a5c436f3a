package io.waybill.benchmarks.peers;

import com.github.kagkarlsson.scheduler.Scheduler;
import com.github.kagkarlsson.scheduler.task.TaskInstance;
import com.github.kagkarlsson.scheduler.task.helper.OneTimeTask;
import com.github.kagkarlsson.scheduler.task.helper.Tasks;
import io.waybill.benchmarks.workload.BenchmarkDatabase;
import io.waybill.benchmarks.workload.Jobs;
import io.waybill.benchmarks.workload.Workload;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

/** db-scheduler: a one-time task for each job, whose handler commits its INSERT; the task is removed behind it. */
public final class DbSchedulerJobs extends Jobs {

    private static final double FETCH_BELOW = 1.0;
    private static final double FETCH_UP_TO = 20.0;

    private final AtomicInteger left = new AtomicInteger();
    private final OneTimeTask<String> task;
    private final Scheduler scheduler;

    public DbSchedulerJobs(BenchmarkDatabase database) throws SQLException {
        database.execute(DbSchedulerDrain.TABLE, DbSchedulerDrain.EXECUTION_TIME, DbSchedulerDrain.HEARTBEAT);
        this.task = Tasks.oneTime("invoice", String.class).execute((instance, context) -> {
            try (var connection = database.pool().getConnection()) {
                invoice(connection, Integer.parseInt(instance.getId()), instance.getData());
                left.decrementAndGet();
            } catch (SQLException e) {
                throw new IllegalStateException(e);
            }
        });
        this.scheduler = Scheduler.create(database.pool(), task)
                .threads(THREADS)
                .pollUsingLockAndFetch(FETCH_BELOW, FETCH_UP_TO)
                .pollingInterval(Duration.ofMillis(50))
                .build();
    }

    @Override
    public void fill(int jobs) {
        left.set(jobs);
        scheduler.scheduleBatch(
                IntStream.range(0, jobs)
                        .<TaskInstance<?>>mapToObj(
                                number -> task.instance(String.valueOf(number), Workload.USUAL.payload(number)))
                        .toList(),
                Instant.now());
    }

    @Override
    public void start() {
        scheduler.start();
    }

    @Override
    protected boolean isAllCommitted() {
        return left.get() == 0;
    }

    @Override
    public void close() {
        scheduler.stop();
    }
}
