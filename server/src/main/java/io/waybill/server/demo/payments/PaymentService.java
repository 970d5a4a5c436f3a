package io.waybill.server.demo.payments;

import io.waybill.outbox.Outbox;
import io.waybill.server.demo.payments.PaymentCommands.CreatePaymentCommand;
import io.waybill.server.demo.payments.PaymentFaults.Fault;
import io.waybill.store.Transactions;
import java.sql.SQLException;

/** Pays, and publishes an event in the transaction of the payment. */
final class PaymentService {

    /** A beneficiary that no bank accepts, so that some payments are compensated even when everything works. */
    static final String CLOSED = "Closed Account Ltd";

    private final Transactions transactions;
    private final Outbox outbox;
    private final PaymentFaults faults;

    PaymentService(Transactions transactions, Outbox outbox, PaymentFaults faults) {
        this.transactions = transactions;
        this.outbox = outbox;
        this.faults = faults;
    }

    public void createPayment(CreatePaymentCommand command) throws SQLException {
        if (faults.has(Fault.BANK_REFUSES)) {
            throw new PaymentRefusedException("the bank accepts no payments at present");
        }
        if (command.beneficiary().equals(CLOSED)) {
            throw new PaymentRefusedException("the account of the beneficiary is closed");
        }
        Sql.update(transactions.current(), "UPDATE payment SET paid = TRUE WHERE payment_id = ?", command.paymentId());
        outbox.publish(
                new PaymentCompleted(command.paymentId(), command.account(), command.amount(), command.beneficiary()));
    }
}
