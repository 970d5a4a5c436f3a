package io.waybill.server.demo.payments;

import io.waybill.server.demo.payments.PaymentCommands.BookFxCommand;
import io.waybill.server.demo.payments.PaymentCommands.UnwindFxCommand;
import io.waybill.store.Transactions;
import java.sql.SQLException;
import java.util.concurrent.ThreadLocalRandom;

/** Buys the currency of a payment. Its rates are sometimes late, so that a process has something to retry. */
final class FxService {

    private static final int ONE_LATE_RATE_IN = 6;

    private final Transactions transactions;

    FxService(Transactions transactions) {
        this.transactions = transactions;
    }

    public void bookFx(BookFxCommand command) throws SQLException {
        if (ThreadLocalRandom.current().nextInt(ONE_LATE_RATE_IN) == 0) {
            throw new IllegalStateException("timeout of the rate service for " + command.currency());
        }
        Sql.update(
                transactions.current(),
                "INSERT INTO fx_deal VALUES (?, ?, ?)",
                command.paymentId(),
                command.currency(),
                command.amount());
    }

    public void unwindFx(UnwindFxCommand command) throws SQLException {
        Sql.update(transactions.current(), "DELETE FROM fx_deal WHERE payment_id = ?", command.paymentId());
    }
}
