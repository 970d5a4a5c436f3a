package io.waybill.server.demo.payments;

import io.waybill.server.demo.payments.PaymentCommands.CreateTransactionCommand;
import io.waybill.server.demo.payments.PaymentCommands.ReverseTransactionCommand;
import io.waybill.store.Transactions;
import java.sql.SQLException;

/** Debits accounts. Giving the money back needs an entry in the ledger. */
final class TransactionService {

    private final Transactions transactions;
    private final Ledger ledger;

    TransactionService(Transactions transactions, Ledger ledger) {
        this.transactions = transactions;
        this.ledger = ledger;
    }

    public void createTransaction(CreateTransactionCommand command) throws SQLException {
        Sql.update(
                transactions.current(),
                "UPDATE account SET balance = balance - ? WHERE account = ?",
                command.amount(),
                command.account());
        Sql.update(
                transactions.current(),
                "INSERT INTO account_entry VALUES (?, ?, ?)",
                command.paymentId(),
                command.account(),
                command.amount());
    }

    public void reverseTransaction(ReverseTransactionCommand command) throws SQLException {
        ledger.post(transactions.current(), command.paymentId(), "reversal");
        Sql.update(transactions.current(), """
                UPDATE account SET balance = balance + (SELECT amount FROM account_entry WHERE payment_id = ?)
                 WHERE account = (SELECT account FROM account_entry WHERE payment_id = ?)
                """, command.paymentId(), command.paymentId());
        Sql.update(transactions.current(), "DELETE FROM account_entry WHERE payment_id = ?", command.paymentId());
    }
}
