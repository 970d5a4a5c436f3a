package io.waybill.benchmarks.job;

import io.waybill.benchmarks.drain.DrainRate;
import io.waybill.benchmarks.harness.Lab;
import io.waybill.benchmarks.peers.DbosRuns;
import io.waybill.benchmarks.workload.BenchmarkDatabase;
import io.waybill.benchmarks.workload.Crew;
import io.waybill.benchmarks.workload.Jobs;
import io.waybill.benchmarks.workload.Patience;
import io.waybill.benchmarks.workload.Workload;
import io.waybill.command.DomainCommand;
import io.waybill.process.definition.ProcessConfiguration;
import io.waybill.process.graph.ProcessGraph;
import io.waybill.relay.route.RelayOptions;
import io.waybill.runtime.Waybill;
import io.waybill.store.Transactions;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Map;
import javax.sql.DataSource;

/** Processes of five steps, each with one business INSERT. */
final class ProcessRuns extends Jobs {

    static final int STEPS = 5;
    private static final Duration LONGEST = Duration.ofMinutes(5);
    private static final int PER_TRANSACTION = 100;

    private final BenchmarkDatabase database;
    private final Waybill waybill;

    private ProcessRuns(BenchmarkDatabase database, int handlers, int perCommit) {
        this(database, database.pool(), handlers, perCommit);
    }

    private ProcessRuns(BenchmarkDatabase database, DataSource pool, int handlers, int perCommit) {
        this.database = database;
        this.waybill = Waybill.on(pool)
                .handlers(Invoices::new)
                .processes(new FiveSteps())
                .relay(RelayOptions.DEFAULT.withHandlers(handlers).withMessagesPerCommit(perCommit))
                .build();
    }

    private static final String FLOOR_PROCESS =
            "CREATE TABLE floor_process (id INT PRIMARY KEY, step INT NOT NULL, data TEXT NOT NULL)";

    /** What one run had: steps per second, and transactions per step. */
    record Rate(double steps, double commits) {}

    /** What one step takes. */
    record Effort(double waits, double statements) {}

    /** Finished processes as they are kept, with a step, a command and an entry of the log each. */
    private static final String[] FINISHED = {"""
        INSERT INTO process_instance (process_id, process_type, business_key, status, current_step, data, retries, created_at,
               updated_at, definition_version, event_count, reason, start_data)
        SELECT gen_random_uuid(), 'FiveSteps', 'finished-' || n, 'SUCCEEDED', '', '{"n":1}', 0, now(), now(), 1, 12, '', '{"n":1}'
          FROM generate_series(1, ${count}) n
        """, """
        INSERT INTO process_step (process_id, number, parent, kind, step_name, position, status, attempt, command_id, in_doubt,
               input, reply, error, since)
        SELECT process_id, 1, 0, 'STEP', 'WriteInvoice', 0, 'COMPLETED', 1, gen_random_uuid(), false, '{}', '{}', '', now()
          FROM process_instance WHERE status = 'SUCCEEDED'
        """, """
        INSERT INTO command (command_id, type, idempotency_key, correlation_id, payload, status)
        SELECT command_id, 'WriteInvoice', command_id::text, process_id, '{"n":1}', 'COMPLETED' FROM process_step
         WHERE status = 'COMPLETED'
        """, """
        INSERT INTO process_log (log_id, process_id, event_no, event_type, step_name, event_data, created_at)
        SELECT gen_random_uuid(), process_id, 1, 'ProcessStarted', '', '{"n":1}', now() FROM process_instance
         WHERE status = 'SUCCEEDED'
        """};

    /** Writes an invoice. */
    public record WriteInvoiceCommand(int n, String text) implements DomainCommand {}

    /** Five times the same command, under different names. */
    static final class FiveSteps implements ProcessConfiguration {
        @Override
        public String getProcessType() {
            return "FiveSteps";
        }

        @Override
        public ProcessGraph defineProcess() {
            return process()
                    .startWith(WriteInvoiceCommand.class)
                    .then(WriteInvoiceCommand.class)
                    .named("Second")
                    .then(WriteInvoiceCommand.class)
                    .named("Third")
                    .then(WriteInvoiceCommand.class)
                    .named("Fourth")
                    .then(WriteInvoiceCommand.class)
                    .named("Fifth")
                    .end();
        }
    }

    /** The application's service. */
    public final class Invoices {
        private final Transactions transactions;

        Invoices(Transactions transactions) {
            this.transactions = transactions;
        }

        public void write(WriteInvoiceCommand command) throws SQLException {
            invoice(transactions.current().unwrap(Connection.class), command.n(), command.text());
        }
    }

    static Rate waybill(Lab lab, int processes, int perCommit) throws Exception {
        return waybill(lab, processes, perCommit, 0);
    }

    /** The same beside so many processes that are finished. */
    static Rate waybill(Lab lab, int processes, int perCommit, int finished) throws Exception {
        try (BenchmarkDatabase database = lab.newDatabase()) {
            database.execute(INVOICES);
            try (var runs = new ProcessRuns(database, THREADS, perCommit)) {
                runs.fill(processes);
                if (finished > 0) {
                    database.execute(
                            FINISHED[0].replace("${count}", String.valueOf(finished)),
                            FINISHED[1],
                            FINISHED[2],
                            FINISHED[3]);
                }
                database.settle();
                long before = database.transactions();
                runs.start();
                Patience.in(LONGEST).await(() -> runs.areDone(processes * STEPS), () -> "processes are left");
                double steps = processes * STEPS / DrainRate.seconds(runs.nanos());
                return new Rate(steps, (database.transactions() - before) / (double) (processes * STEPS));
            }
        }
    }

    /** DBOS Transact, on the same pool. */
    static Rate dbos(Lab lab, int processes) throws Exception {
        try (BenchmarkDatabase database = lab.newDatabase()) {
            database.execute(INVOICES);
            try (Jobs runs = new DbosRuns(database, STEPS, THREADS)) {
                runs.fill(processes);
                database.settle();
                long before = database.transactions();
                runs.start();
                Patience.in(LONGEST).await(() -> runs.areDone(processes * STEPS), () -> "workflows are left");
                double steps = processes * STEPS / DrainRate.seconds(runs.nanos());
                return new Rate(steps, (database.transactions() - before) / (double) (processes * STEPS));
            }
        }
    }

    /** Whole processes per second: as many threads start them as there are handlers, each in a transaction of its own, while the handlers work. */
    static double whole(Lab lab, int processes, int threads, int perCommit) throws Exception {
        try (BenchmarkDatabase database = lab.newDatabase()) {
            database.execute(INVOICES);
            try (var runs = new ProcessRuns(database, threads, perCommit)) {
                runs.start();
                database.settle();
                long start = System.nanoTime();
                Crew.run(threads, member -> {
                    for (int i = member; i < processes; i += threads) {
                        runs.startOne(i);
                    }
                });
                Patience.in(LONGEST).await(() -> runs.areDone(processes * STEPS), () -> "processes are left");
                return processes / DrainRate.seconds(System.nanoTime() - start);
            }
        }
    }

    /** The same of DBOS Transact: a thread calls a workflow, which runs in it, and calls the next when that has ended. */
    static double wholeDbos(Lab lab, int processes, int threads) throws Exception {
        try (BenchmarkDatabase database = lab.newDatabase()) {
            database.execute(INVOICES);
            try (Jobs runs = new DbosRuns(database, STEPS, threads)) {
                runs.fill(processes);
                database.settle();
                long start = System.nanoTime();
                runs.start();
                Patience.in(LONGEST).await(() -> runs.areDone(processes * STEPS), () -> "workflows are left");
                return processes / DrainRate.seconds(System.nanoTime() - start);
            }
        }
    }

    /** The same of the floor: the row of the process in a transaction of its own, then its steps. */
    static double wholeBare(Lab lab, int processes, int threads) throws Exception {
        try (BenchmarkDatabase database = lab.newDatabase()) {
            database.execute(INVOICES, FLOOR_PROCESS);
            database.settle();
            long start = System.nanoTime();
            Crew.run(threads, member -> bare(database, member, processes, threads, true));
            return processes / DrainRate.seconds(System.nanoTime() - start);
        }
    }

    /** How often a step of Waybill waits for the database, and with how many statements. What the relay reads on the way is counted too. */
    static Effort effort(Lab lab, int processes) throws Exception {
        try (BenchmarkDatabase database = lab.newDatabase()) {
            database.execute(INVOICES);
            var counted = new CountedRoundTrips(database.pool());
            try (var runs = new ProcessRuns(database, counted.pool(), THREADS, 1)) {
                runs.fill(processes);
                CountedRoundTrips.Count before = counted.count();
                runs.start();
                Patience.in(LONGEST).await(() -> runs.areDone(processes * STEPS), () -> "processes are left");
                CountedRoundTrips.Count after = counted.count();
                double steps = processes * STEPS;
                return new Effort(
                        (after.waits() - before.waits()) / steps, (after.statements() - before.statements()) / steps);
            }
        }
    }

    /** The floor: a process is a row, and each step a transaction with the business row and an UPDATE of it. */
    static Rate bare(Lab lab, int processes) throws Exception {
        try (BenchmarkDatabase database = lab.newDatabase()) {
            database.execute(INVOICES, FLOOR_PROCESS);
            database.execute("INSERT INTO floor_process SELECT n, 0, '" + Workload.USUAL.payload(0)
                    + "' FROM generate_series(0, " + (processes - 1) + ") n");
            database.settle();
            long start = System.nanoTime();
            Crew.run(THREADS, member -> bare(database, member, processes, THREADS, false));
            return new Rate(processes * STEPS / DrainRate.seconds(System.nanoTime() - start), 1);
        }
    }

    private static void bare(BenchmarkDatabase database, int member, int processes, int threads, boolean starting)
            throws SQLException {
        try (Connection connection = database.pool().getConnection();
                var begin = connection.prepareStatement("INSERT INTO floor_process VALUES (?, 0, ?)");
                var insert = connection.prepareStatement("INSERT INTO invoice (number, payload) VALUES (?, ?)");
                var update = connection.prepareStatement("UPDATE floor_process SET step = ? WHERE id = ?")) {
            connection.setAutoCommit(false);
            for (int process = member; process < processes; process += threads) {
                if (starting) {
                    begin.setInt(1, process);
                    begin.setString(2, Workload.USUAL.payload(process));
                    begin.executeUpdate();
                    connection.commit();
                }
                for (int step = 1; step <= STEPS; step++) {
                    insert.setInt(1, process);
                    insert.setString(2, Workload.USUAL.payload(process));
                    insert.executeUpdate();
                    update.setInt(1, step);
                    update.setInt(2, process);
                    update.executeUpdate();
                    connection.commit();
                }
            }
        }
    }

    @Override
    public void fill(int processes) {
        for (int from = 0; from < processes; from += PER_TRANSACTION) {
            int first = from;
            waybill.transactions().inTransaction(transaction -> {
                for (int i = first; i < Math.min(processes, first + PER_TRANSACTION); i++) {
                    startOne(i);
                }
                return first;
            });
        }
    }

    private void startOne(int i) {
        waybill.processManager()
                .startProcess("FiveSteps", "order-" + i, Map.of("n", i, "text", Workload.USUAL.payload(i)));
    }

    @Override
    public void start() {
        waybill.start();
    }

    @Override
    protected boolean isAllCommitted() {
        try {
            return database.ask("SELECT count(*) FROM process_instance WHERE status <> 'SUCCEEDED'")
                    .equals("0");
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void close() {
        waybill.close();
    }
}
