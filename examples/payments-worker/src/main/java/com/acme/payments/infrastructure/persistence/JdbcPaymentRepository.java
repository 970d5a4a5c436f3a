package com.acme.payments.infrastructure.persistence;

import com.acme.payments.domain.model.Beneficiary;
import com.acme.payments.domain.model.Payment;
import com.acme.payments.domain.repository.PaymentRepository;
import jakarta.inject.Singleton;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.LocalDate;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

@Singleton
class JdbcPaymentRepository implements PaymentRepository {

    private static final String SELECT = """
            SELECT payment_id, debit_account_id, transaction_id, debit_amount, debit_currency, credit_amount, credit_currency,
                   exchange_rate, value_date, beneficiary_name, beneficiary_account_id, status
              FROM payment
             WHERE {condition}
             ORDER BY created_at, payment_id
            """;

    private final Sql sql;

    JdbcPaymentRepository(Sql sql) {
        this.sql = sql;
    }

    @Override
    public Optional<Payment> findById(UUID paymentId) {
        return find("payment_id = ?", paymentId).stream().findFirst();
    }

    @Override
    public List<Payment> findByAccountId(UUID accountId) {
        return find("debit_account_id = ?", accountId);
    }

    private List<Payment> find(String condition, UUID value) {
        return sql.query(SELECT.replace("{condition}", condition), JdbcPaymentRepository::payment, value);
    }

    private static Payment payment(ResultSet row) throws SQLException {
        return new Payment(
                Sql.uuid(row, "payment_id"),
                Sql.uuid(row, "debit_account_id"),
                Sql.uuid(row, "transaction_id"),
                Sql.money(row, "debit_amount", "debit_currency"),
                Sql.money(row, "credit_amount", "credit_currency"),
                row.getBigDecimal("exchange_rate"),
                row.getObject("value_date", LocalDate.class),
                new Beneficiary(row.getString("beneficiary_name"), row.getObject("beneficiary_account_id", UUID.class)),
                Payment.Status.valueOf(row.getString("status")));
    }

    @Override
    public void save(Payment payment) {
        int updated = sql.update(
                "UPDATE payment SET status = ? WHERE payment_id = ?",
                payment.status().name(),
                payment.paymentId());
        if (updated == 0) {
            insert(payment);
        }
    }

    private void insert(Payment payment) {
        sql.update(
                """
                INSERT INTO payment (payment_id, debit_account_id, transaction_id, debit_amount, debit_currency, credit_amount,
                                     credit_currency, exchange_rate, value_date, beneficiary_name, beneficiary_account_id, status)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                """,
                payment.paymentId(),
                payment.debitAccountId(),
                payment.transactionId(),
                payment.debitAmount().amount(),
                payment.debitAmount().currencyCode(),
                payment.creditAmount().amount(),
                payment.creditAmount().currencyCode(),
                payment.exchangeRate(),
                payment.valueDate(),
                payment.beneficiary().name(),
                payment.beneficiary().accountId(),
                payment.status().name());
    }

    @Override
    public void saveNotification(UUID paymentId, String text) {
        sql.update("INSERT INTO payment_notification (payment_id, text) VALUES (?, ?)", paymentId, text);
    }

    @Override
    public List<String> findNotifications(UUID paymentId) {
        return sql.query(
                "SELECT text FROM payment_notification WHERE payment_id = ?", row -> row.getString(1), paymentId);
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
