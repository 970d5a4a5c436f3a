package io.waybill.server.demo.payments;

import static java.util.concurrent.TimeUnit.MILLISECONDS;

import io.waybill.process.ProcessManager;
import io.waybill.store.Transactions;
import java.math.BigDecimal;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Customers who pay, a few every second.
 *
 * <p><i>Threads:</i> safe.
 */
public final class PaymentTraffic implements AutoCloseable {

    public static final int MAX_PAYMENTS = 20_000;
    public static final int PER_SECOND = 3;

    private static final List<String> BENEFICIARIES = List.of(
            "City Water", "Green Energy", "Book Shop", "Landlord", "Garage", "Bakery", "Dentist", "Phone Company");
    private static final int ONE_CLOSED_IN = 12;
    private static final int ONE_ABROAD_IN = 4;

    private final Transactions transactions;
    private final ProcessManager processes;
    private final CountDownLatch closed = new CountDownLatch(1);
    private volatile boolean paused;
    private volatile String problem = "";
    private int started;

    PaymentTraffic(Transactions transactions, ProcessManager processes) {
        this.transactions = transactions;
        this.processes = processes;
    }

    void start() {
        var thread = new Thread(this::run, "demo-traffic");
        thread.setDaemon(true);
        thread.start();
    }

    private void run() {
        try {
            while (!closed.await(1_000 / PER_SECOND, MILLISECONDS)) {
                next();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Pauses, or continues after a pause. */
    public boolean pauseOrContinue() {
        paused = !paused;
        return paused;
    }

    /** Why the last payment could not be started; empty when it was. */
    public String problem() {
        return problem;
    }

    private void next() {
        if (paused || started >= MAX_PAYMENTS) {
            return;
        }
        started++;
        try {
            pay("P-" + (10_000 + started));
            problem = "";
        } catch (RuntimeException | SQLException e) {
            problem = "a payment could not be started: " + e.getMessage();
        }
    }

    /** The payment and its process are one commit: neither exists without the other. */
    private void pay(String paymentId) throws SQLException {
        var random = ThreadLocalRandom.current();
        String account = PaymentTables.ACCOUNTS.get(random.nextInt(PaymentTables.ACCOUNTS.size()));
        String beneficiary = random.nextInt(ONE_CLOSED_IN) == 0
                ? PaymentService.CLOSED
                : BENEFICIARIES.get(random.nextInt(BENEFICIARIES.size()));
        var amount = BigDecimal.valueOf(random.nextInt(500, 50_000), 2);
        boolean abroad = random.nextInt(ONE_ABROAD_IN) == 0;
        transactions.inTransaction(transaction -> {
            Sql.update(
                    transaction,
                    "INSERT INTO payment VALUES (?, ?, ?, ?, FALSE)",
                    paymentId,
                    account,
                    beneficiary,
                    amount);
            return processes.startProcess(
                    PaymentProcess.TYPE,
                    paymentId,
                    Map.of(
                            "paymentId", paymentId,
                            "account", account,
                            "amount", amount,
                            "beneficiary", beneficiary,
                            "currency", abroad ? "USD" : "EUR",
                            "requiresFx", abroad));
        });
    }

    @Override
    public void close() {
        closed.countDown();
    }
}
