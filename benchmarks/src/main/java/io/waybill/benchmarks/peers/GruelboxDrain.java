package io.waybill.benchmarks.peers;

import com.gruelbox.transactionoutbox.Dialect;
import com.gruelbox.transactionoutbox.Instantiator;
import com.gruelbox.transactionoutbox.Persistor;
import com.gruelbox.transactionoutbox.Submitter;
import com.gruelbox.transactionoutbox.TransactionManager;
import com.gruelbox.transactionoutbox.TransactionOutbox;
import com.gruelbox.transactionoutbox.TransactionOutboxEntry;
import com.gruelbox.transactionoutbox.TransactionOutboxListener;
import io.waybill.benchmarks.workload.BenchmarkDatabase;
import io.waybill.benchmarks.workload.Drain;
import io.waybill.benchmarks.workload.Patience;
import io.waybill.benchmarks.workload.Workload;
import java.time.Clock;
import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * gruelbox transaction-outbox: {@code flush()} reads what waits in big batches and hands it to a pool of threads, where each
 * entry is locked, invoked and deleted in a transaction of its own.
 */
public final class GruelboxDrain implements Drain {

    private static final int THREADS = 8;
    private static final int BATCH = 4_096;
    private static final int SCHEDULED_AT_ONCE = 1_000;
    private static final Duration LONGEST = Duration.ofMinutes(10);

    /** Long enough that nothing is read twice; the clock is moved beyond it when the drain begins. */
    private static final Duration ATTEMPT_FREQUENCY = Duration.ofHours(1);

    /** What a message becomes here: a call. */
    public interface Receiver {
        void receive(String key, String payload);
    }

    private final TransactionManager transactions;
    private final TransactionOutbox outbox;
    private final ExecutorService threads = Executors.newFixedThreadPool(THREADS);
    private final AtomicLong received = new AtomicLong();
    private volatile Clock clock = Clock.systemUTC();
    private volatile boolean draining;

    public GruelboxDrain(BenchmarkDatabase database) {
        Receiver receiver = (key, payload) -> {};
        Submitter pool = Submitter.withExecutor(threads);
        this.transactions = TransactionManager.fromDataSource(database.pool());
        this.outbox = TransactionOutbox.builder()
                .transactionManager(transactions)
                .persistor(Persistor.forDialect(Dialect.POSTGRESQL_9))
                .instantiator(Instantiator.using(type -> receiver))
                .submitter((entry, executor) -> {
                    if (draining) {
                        pool.submit(entry, executor);
                    }
                })
                .attemptFrequency(ATTEMPT_FREQUENCY)
                .flushBatchSize(BATCH)
                .clockProvider(() -> clock)
                .listener(new TransactionOutboxListener() {
                    @Override
                    public void success(TransactionOutboxEntry entry) {
                        received.incrementAndGet();
                    }
                })
                .build();
    }

    /** Nothing is submitted at commit: it waits in the table, as after a restart. */
    @Override
    public void fill(int messages) {
        for (int from = 0; from < messages; from += SCHEDULED_AT_ONCE) {
            int first = from;
            int end = Math.min(messages, from + SCHEDULED_AT_ONCE);
            transactions.inTransaction(() -> schedule(first, end));
        }
    }

    private void schedule(int from, int end) {
        for (int number = from; number < end; number++) {
            outbox.schedule(Receiver.class).receive(Workload.USUAL.key(number), Workload.USUAL.payload(number));
        }
    }

    @Override
    public long drain(int messages) {
        clock = Clock.offset(clock, ATTEMPT_FREQUENCY.multipliedBy(2));
        draining = true;
        while (outbox.flush()) {
            // Until everything that waits is with the threads.
        }
        Patience.in(LONGEST).await(() -> received.get() >= messages, () -> received + " of " + messages);
        return received.get();
    }

    @Override
    public void close() throws InterruptedException {
        threads.shutdown();
        threads.awaitTermination(LONGEST.toSeconds(), TimeUnit.SECONDS);
    }
}
