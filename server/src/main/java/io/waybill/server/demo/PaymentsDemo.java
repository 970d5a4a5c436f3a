package io.waybill.server.demo;

import io.waybill.server.cli.Shutdown;
import io.waybill.server.demo.payments.PaymentFaults.Fault;
import io.waybill.server.demo.payments.PaymentTotals;
import io.waybill.server.demo.payments.PaymentTraffic;
import io.waybill.server.demo.payments.PaymentsApp;
import java.io.PrintWriter;
import java.sql.SQLException;
import java.time.Duration;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.stream.Stream;
import org.h2.jdbcx.JdbcConnectionPool;
import org.jspecify.annotations.Nullable;

/** Payments on a database in memory, the console that shows them, and keys that break them. */
final class PaymentsDemo implements AutoCloseable {

    private static final String DATABASE = "jdbc:h2:mem:payments;DB_CLOSE_DELAY=-1";
    private static final int MAX_CONNECTIONS = 20;
    private static final Duration STATUS_EVERY = Duration.ofSeconds(5);
    private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("HH:mm:ss", Locale.ROOT);

    private final PrintWriter out;
    private final Shutdown shutdown;
    private final JdbcConnectionPool database;
    private final PaymentsApp payments;
    private final DemoConsole console;

    private PaymentsDemo(
            PrintWriter out,
            Shutdown shutdown,
            JdbcConnectionPool database,
            PaymentsApp payments,
            DemoConsole console) {
        this.out = out;
        this.shutdown = shutdown;
        this.database = database;
        this.payments = payments;
        this.console = console;
    }

    /**
     * Starts everything.
     *
     * @param port of the console; none for the usual one, or a free one if that is taken
     */
    static PaymentsDemo start(PrintWriter out, Shutdown shutdown, @Nullable Integer port) throws SQLException {
        JdbcConnectionPool database = JdbcConnectionPool.create(DATABASE, "sa", "");
        database.setMaxConnections(MAX_CONNECTIONS);
        PaymentsApp payments = PaymentsApp.start(database);
        try {
            return new PaymentsDemo(out, shutdown, database, payments, DemoConsole.start(payments.store(), port));
        } catch (RuntimeException e) {
            payments.close();
            throw e;
        }
    }

    void introduce() {
        say("Payments on an H2 database in memory, " + PaymentTraffic.PER_SECOND + " a second. The console:");
        say("");
        say("  " + console.url());
        say("");
        say("Type a key and Enter:");
        Stream.of(DemoKey.values()).forEach(key -> say("  " + key));
        say("");
    }

    /** Runs until somebody quits, or the time is over, or Ctrl-C. */
    void run(Duration limit, boolean quiet) {
        new DemoKeyboard(this::press, this::say).listen(System.in);
        long end = System.nanoTime() + limit.toNanos();
        String last = "";
        boolean asked = false;
        for (Duration left = limit; !asked && !left.isNegative(); left = Duration.ofNanos(end - System.nanoTime())) {
            asked = shutdown.await(left.compareTo(STATUS_EVERY) < 0 ? left : STATUS_EVERY);
            String status = status();
            if (!quiet && !asked && !status.equals(last)) {
                say(LocalTime.now(ZoneId.systemDefault()).format(TIME) + "  " + status);
                last = status;
            }
        }
    }

    private String status() {
        String problem = payments.traffic().problem();
        return payments.totals() + (problem.isEmpty() ? "" : "; " + problem);
    }

    private void press(DemoKey key) {
        switch (key) {
            case FAIL -> {
                payments.faults().add(Fault.BANK_REFUSES);
                say("The bank refuses every payment. Processes: payments are compensated.");
            }
            case BREAK -> {
                payments.faults().add(Fault.LEDGER_BROKEN);
                say("The ledger is broken. Failures: its messages, after three attempts. Processes: the compensation of"
                        + " refused payments is blocked.");
            }
            case DOWN -> {
                payments.faults().add(Fault.NOTIFICATIONS_DOWN);
                say("The notification service is down. Messages: those to notifications.email wait, and no attempt is"
                        + " used.");
            }
            case HEAL -> {
                payments.faults().heal();
                say("Everything works again. What waited continues; retry failed messages and blocked processes in the"
                        + " console.");
            }
            case PAUSE -> say(payments.traffic().pauseOrContinue() ? "No new payments." : "New payments again.");
            case QUIT -> shutdown.request();
        }
    }

    void summarize() {
        PaymentTotals totals = payments.totals();
        say("");
        say("The demo has ended. " + totals + ". Nothing is kept.");
    }

    private void say(String line) {
        synchronized (out) {
            out.println(line);
            out.flush();
        }
    }

    @Override
    public void close() {
        console.close();
        payments.close();
        database.dispose();
    }
}
