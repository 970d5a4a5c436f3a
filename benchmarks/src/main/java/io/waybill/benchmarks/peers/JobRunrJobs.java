package io.waybill.benchmarks.peers;

import io.waybill.benchmarks.workload.BenchmarkDatabase;
import io.waybill.benchmarks.workload.Jobs;
import io.waybill.benchmarks.workload.Workload;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.jobrunr.configuration.JobRunr;
import org.jobrunr.jobs.lambdas.JobRequest;
import org.jobrunr.jobs.lambdas.JobRequestHandler;
import org.jobrunr.jobs.mappers.JobMapper;
import org.jobrunr.scheduling.JobRequestScheduler;
import org.jobrunr.server.BackgroundJobServerConfiguration;
import org.jobrunr.server.JobActivator;
import org.jobrunr.storage.StorageProvider;
import org.jobrunr.storage.sql.common.SqlStorageProviderFactory;
import org.jobrunr.utils.mapper.jackson3.Jackson3JsonMapper;

/** JobRunr: a request for each job, whose handler commits its INSERT; the job is marked as succeeded behind it. */
public final class JobRunrJobs extends Jobs {

    /** The shortest that it allows; while there is enough to do it does not wait for it. */
    private static final Duration POLL = Duration.ofSeconds(5);

    private final AtomicInteger left = new AtomicInteger();
    private final BenchmarkDatabase database;
    private final StorageProvider storage;

    public JobRunrJobs(BenchmarkDatabase database) {
        this.database = database;
        this.storage = SqlStorageProviderFactory.using(database.pool());
        storage.setJobMapper(new JobMapper(new Jackson3JsonMapper()));
    }

    /** What is asked for. */
    public record InvoiceRequest(int number, String text) implements JobRequest {
        @Override
        public Class<InvoiceHandler> getJobRequestHandler() {
            return InvoiceHandler.class;
        }
    }

    /** The application's service. */
    public final class InvoiceHandler implements JobRequestHandler<InvoiceRequest> {
        @Override
        public void run(InvoiceRequest request) throws SQLException {
            try (var connection = database.pool().getConnection()) {
                invoice(connection, request.number(), request.text());
            }
            left.decrementAndGet();
        }
    }

    @Override
    public void fill(int jobs) {
        left.set(jobs);
        var scheduler = new JobRequestScheduler(storage);
        scheduler.enqueue(IntStream.range(0, jobs)
                .mapToObj(number -> new InvoiceRequest(number, Workload.USUAL.payload(number))));
    }

    @Override
    public void start() {
        var handler = new InvoiceHandler();
        JobRunr.configure()
                .useJsonMapper(new Jackson3JsonMapper())
                .useStorageProvider(storage)
                .useJobActivator(new JobActivator() {
                    @Override
                    public <T> T activateJob(Class<T> type) {
                        return type.cast(handler);
                    }
                })
                .useBackgroundJobServer(BackgroundJobServerConfiguration.usingStandardBackgroundJobServerConfiguration()
                        .andWorkerCount(THREADS)
                        .andPollInterval(POLL))
                .initialize();
    }

    @Override
    protected boolean isAllCommitted() {
        return left.get() == 0;
    }

    @Override
    public void close() {
        JobRunr.destroy();
    }
}
