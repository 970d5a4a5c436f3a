package com.acme.payments.infrastructure.persistence;

import com.acme.payments.domain.model.Payment;
import com.acme.payments.domain.repository.PaymentRepository;
import jakarta.inject.Singleton;
import java.util.Optional;
import java.util.UUID;

@Singleton
class JdbcPaymentRepository implements PaymentRepository {

    private final Sql sql;

    JdbcPaymentRepository(Sql sql) {
        this.sql = sql;
    }

    @Override
    public Optional<Payment> findById(UUID paymentId) {
        return sql
                .query(
                        """
                        SELECT payment_id, account_id, transaction_id, beneficiary, amount, currency_code
                          FROM payment
                         WHERE payment_id = ?
                        """,
                        row -> new Payment(
                                Sql.uuid(row, "payment_id"),
                                Sql.uuid(row, "account_id"),
                                Sql.uuid(row, "transaction_id"),
                                row.getString("beneficiary"),
                                Sql.money(row, "amount", "currency_code")),
                        paymentId)
                .stream()
                .findFirst();
    }

    @Override
    public void save(Payment payment) {
        sql.update(
                """
                INSERT INTO payment (payment_id, account_id, transaction_id, beneficiary, amount, currency_code)
                VALUES (?, ?, ?, ?, ?, ?)
                """,
                payment.paymentId(),
                payment.accountId(),
                payment.transactionId(),
                payment.beneficiary(),
                payment.amount().amount(),
                payment.amount().currencyCode());
    }

    @Override
    public void delete(UUID paymentId) {
        sql.update("DELETE FROM payment WHERE payment_id = ?", paymentId);
    }

    @Override
    public boolean isBlocked(String beneficiary) {
        return !sql.query("SELECT 1 FROM blocked_beneficiary WHERE beneficiary = ?", row -> true, beneficiary)
                .isEmpty();
    }

    @Override
    public void block(String beneficiary, String reason) {
        sql.update("INSERT INTO blocked_beneficiary (beneficiary, reason) VALUES (?, ?)", beneficiary, reason);
    }
}
