package io.waybill.server.demo.payments;

import io.waybill.Backoff;
import io.waybill.inbox.ReceivingOptions;
import io.waybill.jdbc.JdbcStore;
import io.waybill.runtime.Waybill;
import java.sql.SQLException;
import java.time.Duration;
import javax.sql.DataSource;

/** Payments on a database: the tables, an instance of Waybill with handlers, a process and subscribers, and customers who pay. */
public final class PaymentsApp implements AutoCloseable {

    private static final Duration KEPT = Duration.ofMinutes(30);

    /** Few attempts, quickly: a message that cannot be handled is failed within seconds. */
    private static final ReceivingOptions IMPATIENT = ReceivingOptions.DEFAULT
            .attempts(3)
            .backoff(new Backoff(Duration.ofMillis(250), Duration.ofSeconds(1), 0.1));

    private final PaymentFaults faults;
    private final PaymentTotals.Ended ended;
    private final Waybill waybill;
    private final PaymentTraffic traffic;

    private PaymentsApp(PaymentFaults faults, PaymentTotals.Ended ended, Waybill waybill) {
        this.faults = faults;
        this.ended = ended;
        this.waybill = waybill;
        this.traffic = new PaymentTraffic(waybill.transactions(), waybill.processManager());
    }

    /** Creates the tables, and starts everything. */
    public static PaymentsApp start(DataSource database) throws SQLException {
        PaymentTables.create(database);
        var faults = new PaymentFaults();
        var ledger = new Ledger(faults);
        var ended = new PaymentTotals.Ended();
        Waybill waybill = Waybill.on(database)
                .handlers(LimitService::new)
                .handlers(FxService::new)
                .handlers(transactions -> new TransactionService(transactions, ledger))
                .handlers((transactions, outbox) -> new PaymentService(transactions, outbox, faults))
                .processes(new PaymentProcess())
                .processListener(ended)
                .route(Notifications.DESTINATIONS, new Notifications(faults))
                .receiving(IMPATIENT)
                .retention(KEPT)
                .commandRetention(KEPT)
                .processRetention(KEPT)
                .build();
        waybill.subscribe(PaymentCompleted.DESTINATION, "ledger", PaymentCompleted.class, ledger::paymentCompleted);
        waybill.subscribe(
                PaymentCompleted.DESTINATION, "notifications", PaymentCompleted.class, Notifications::paymentCompleted);
        waybill.start();
        var app = new PaymentsApp(faults, ended, waybill);
        app.traffic.start();
        return app;
    }

    public PaymentFaults faults() {
        return faults;
    }

    public PaymentTraffic traffic() {
        return traffic;
    }

    public JdbcStore store() {
        return waybill.store();
    }

    /** What has become of the payments and their messages so far. */
    public PaymentTotals totals() {
        return PaymentTotals.of(ended, waybill);
    }

    @Override
    public void close() {
        traffic.close();
        waybill.close();
    }
}
