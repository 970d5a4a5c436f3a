package io.waybill.server.demo.payments;

import io.waybill.server.demo.payments.PaymentCommands.BookLimitsCommand;
import io.waybill.server.demo.payments.PaymentCommands.ReverseLimitsCommand;
import io.waybill.store.Transactions;
import java.sql.SQLException;

/** Books payments against the limit of their account. */
final class LimitService {

    private final Transactions transactions;

    LimitService(Transactions transactions) {
        this.transactions = transactions;
    }

    public void bookLimits(BookLimitsCommand command) throws SQLException {
        int booked = Sql.update(
                transactions.current(),
                "UPDATE account SET booked = booked + ? WHERE account = ? AND booked + ? <= payment_limit",
                command.amount(),
                command.account(),
                command.amount());
        if (booked == 0) {
            throw new PaymentRefusedException("the limit of the account is used up");
        }
        Sql.update(
                transactions.current(),
                "INSERT INTO limit_booking VALUES (?, ?, ?)",
                command.paymentId(),
                command.account(),
                command.amount());
    }

    public void reverseLimits(ReverseLimitsCommand command) throws SQLException {
        Sql.update(transactions.current(), """
                UPDATE account SET booked = booked - (SELECT amount FROM limit_booking WHERE payment_id = ?)
                 WHERE account = (SELECT account FROM limit_booking WHERE payment_id = ?)
                """, command.paymentId(), command.paymentId());
        Sql.update(transactions.current(), "DELETE FROM limit_booking WHERE payment_id = ?", command.paymentId());
    }
}
