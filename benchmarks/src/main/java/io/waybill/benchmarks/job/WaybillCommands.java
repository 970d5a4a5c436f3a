package io.waybill.benchmarks.job;

import static io.waybill.command.BusinessKey.businessKey;
import static io.waybill.command.IdempotencyKey.idempotencyKey;

import io.waybill.benchmarks.workload.BenchmarkDatabase;
import io.waybill.benchmarks.workload.Jobs;
import io.waybill.benchmarks.workload.Workload;
import io.waybill.command.DomainCommand;
import io.waybill.relay.route.RelayOptions;
import io.waybill.runtime.Waybill;
import io.waybill.store.Transactions;
import java.sql.Connection;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** Commands whose handlers are in this process. */
final class WaybillCommands extends Jobs {

    private static final int PER_TRANSACTION = 500;

    private final BenchmarkDatabase database;
    private final int perCommit;
    private @Nullable Waybill waybill;

    WaybillCommands(BenchmarkDatabase database, int perCommit) {
        this.database = database;
        this.perCommit = perCommit;
    }

    /** Writes an invoice. */
    public record WriteInvoiceCommand(int n, String text) implements DomainCommand {}

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

    @Override
    public void fill(int jobs) {
        try (Waybill sender = Waybill.on(database.pool()).relays(0).start()) {
            for (int from = 0; from < jobs; from += PER_TRANSACTION) {
                int first = from;
                sender.transactions().inTransaction(transaction -> {
                    for (int i = first; i < Math.min(jobs, first + PER_TRANSACTION); i++) {
                        sender.commandBus()
                                .accept(
                                        new WriteInvoiceCommand(i, Workload.USUAL.payload(i)),
                                        idempotencyKey("request-" + i),
                                        businessKey(Workload.USUAL.key(i)));
                    }
                    return first;
                });
            }
        }
    }

    @Override
    public void start() {
        waybill = Waybill.on(database.pool())
                .handlers(Invoices::new)
                .relay(RelayOptions.DEFAULT.withHandlers(THREADS).withMessagesPerCommit(perCommit))
                .start();
    }

    @Override
    protected boolean isAllCommitted() {
        try {
            return database.ask("SELECT count(*) FROM command WHERE status <> 'COMPLETED'")
                    .equals("0");
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void close() {
        if (waybill != null) {
            waybill.close();
        }
    }
}
