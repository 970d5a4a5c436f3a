package io.waybill.benchmarks.peers;

import dev.dbos.transact.DBOS;
import dev.dbos.transact.config.DBOSConfig;
import dev.dbos.transact.workflow.Workflow;
import io.waybill.benchmarks.workload.BenchmarkDatabase;
import io.waybill.benchmarks.workload.Jobs;
import io.waybill.benchmarks.workload.Workload;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/**
 * DBOS Transact: a workflow of five steps, begun by as many threads as others have handlers. A step's INSERT commits by itself, before
 * its result is noted, so that a crash repeats it.
 */
public final class DbosRuns extends Jobs {

    private final BenchmarkDatabase database;
    private final int steps;
    private final int callers;
    private final DBOS dbos;
    private final List<Thread> threads = new ArrayList<>();
    private final Invoices invoices;
    private int processes;

    public DbosRuns(BenchmarkDatabase database, int steps, int callers) {
        this.database = database;
        this.steps = steps;
        this.callers = callers;
        this.dbos = new DBOS(DBOSConfig.defaults("benchmark").withDataSource(database.pool()));
        this.invoices = dbos.registerProxy(Invoices.class, new FiveInvoices());
        dbos.launch();
    }

    /** What DBOS makes durable. */
    public interface Invoices {
        void write(int number, String text);
    }

    /** The application's workflow. */
    public final class FiveInvoices implements Invoices {
        @Override
        @Workflow(name = "write")
        public void write(int number, String text) {
            for (int step = 1; step <= steps; step++) {
                dbos.runStep(() -> insert(number, text), "step" + step);
            }
        }
    }

    private void insert(int number, String text) {
        try (Connection connection = database.pool().getConnection()) {
            invoice(connection, number, text);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void fill(int count) {
        processes = count;
    }

    @Override
    public void start() {
        for (int i = 0; i < callers; i++) {
            int member = i;
            var thread = new Thread(() -> run(member), "dbos-" + i);
            threads.add(thread);
            thread.start();
        }
    }

    private void run(int member) {
        for (int process = member; process < processes; process += callers) {
            invoices.write(process, Workload.USUAL.payload(process));
        }
    }

    @Override
    protected boolean isAllCommitted() {
        return threads.stream().noneMatch(Thread::isAlive);
    }

    @Override
    public void close() {
        dbos.shutdown();
    }
}
