package io.waybill.server.demo.payments;

import io.waybill.inbox.Received;
import io.waybill.server.demo.payments.PaymentFaults.Fault;
import io.waybill.store.Transaction;
import java.sql.SQLException;

/** The general ledger: a subscriber of completed payments, which can be broken in two ways. */
final class Ledger {

    private final PaymentFaults faults;

    Ledger(PaymentFaults faults) {
        this.faults = faults;
    }

    void paymentCompleted(Received<PaymentCompleted> received) throws SQLException {
        post(received.transaction(), received.payload().paymentId(), "payment");
    }

    void post(Transaction transaction, String paymentId, String kind) throws SQLException {
        if (faults.has(Fault.LEDGER_BROKEN)) {
            throw paymentId.endsWith("5") ? new AccountUnknownException() : new PeriodClosedException();
        }
        Sql.update(transaction, "INSERT INTO ledger_entry VALUES (?, ?)", paymentId, kind);
    }

    private static final class PeriodClosedException extends RuntimeException {
        private static final long serialVersionUID = 1L;

        PeriodClosedException() {
            super("the ledger rejects postings: its period is closed");
        }
    }

    private static final class AccountUnknownException extends RuntimeException {
        private static final long serialVersionUID = 1L;

        AccountUnknownException() {
            super("the ledger rejects the posting: it has no such account");
        }
    }
}
