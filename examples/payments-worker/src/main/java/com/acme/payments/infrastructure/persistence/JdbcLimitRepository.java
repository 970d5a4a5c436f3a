package com.acme.payments.infrastructure.persistence;

import com.acme.payments.domain.model.AccountLimit;
import com.acme.payments.domain.model.LimitBooking;
import com.acme.payments.domain.model.TransactionType;
import com.acme.payments.domain.repository.LimitRepository;
import jakarta.inject.Singleton;
import java.time.LocalDate;
import java.util.List;
import java.util.UUID;

@Singleton
class JdbcLimitRepository implements LimitRepository {

    private final Sql sql;

    JdbcLimitRepository(Sql sql) {
        this.sql = sql;
    }

    @Override
    public List<AccountLimit> lock(UUID accountId) {
        return sql.query(
                """
                SELECT limit_id, account_id, period, transaction_type, limit_amount, utilized, currency_code, period_start
                  FROM account_limit
                 WHERE account_id = ?
                 ORDER BY limit_id
                   FOR UPDATE
                """,
                row -> new AccountLimit(
                        Sql.uuid(row, "limit_id"),
                        Sql.uuid(row, "account_id"),
                        AccountLimit.Period.valueOf(row.getString("period")),
                        TransactionType.valueOf(row.getString("transaction_type")),
                        Sql.money(row, "limit_amount", "currency_code"),
                        Sql.money(row, "utilized", "currency_code"),
                        row.getObject("period_start", LocalDate.class)),
                accountId);
    }

    @Override
    public void save(AccountLimit limit) {
        int updated = sql.update(
                "UPDATE account_limit SET utilized = ?, period_start = ? WHERE limit_id = ?",
                limit.utilized().amount(),
                limit.periodStart(),
                limit.limitId());
        if (updated == 0) {
            sql.update(
                    """
                    INSERT INTO account_limit (limit_id, account_id, period, transaction_type, limit_amount, utilized, currency_code,
                                               period_start)
                    VALUES (?, ?, ?, ?, ?, ?, ?, ?)
                    """,
                    limit.limitId(),
                    limit.accountId(),
                    limit.period().name(),
                    limit.transactionType().name(),
                    limit.limit().amount(),
                    limit.utilized().amount(),
                    limit.limit().currencyCode(),
                    limit.periodStart());
        }
    }

    @Override
    public void delete(UUID accountId) {
        sql.update("DELETE FROM account_limit WHERE account_id = ?", accountId);
    }

    @Override
    public List<LimitBooking> findBookings(UUID bookingId) {
        return sql.query(
                """
                SELECT booking_id, limit_id, amount, currency_code, period_start, reversed
                  FROM limit_booking
                 WHERE booking_id = ?
                 ORDER BY limit_id
                """,
                row -> new LimitBooking(
                        Sql.uuid(row, "booking_id"),
                        Sql.uuid(row, "limit_id"),
                        Sql.money(row, "amount", "currency_code"),
                        row.getObject("period_start", LocalDate.class),
                        row.getBoolean("reversed")),
                bookingId);
    }

    @Override
    public void save(LimitBooking booking) {
        int updated = sql.update(
                "UPDATE limit_booking SET reversed = ? WHERE booking_id = ? AND limit_id = ?",
                booking.reversed(),
                booking.bookingId(),
                booking.limitId());
        if (updated == 0) {
            sql.update(
                    """
                    INSERT INTO limit_booking (booking_id, limit_id, amount, currency_code, period_start, reversed)
                    VALUES (?, ?, ?, ?, ?, ?)
                    """,
                    booking.bookingId(),
                    booking.limitId(),
                    booking.amount().amount(),
                    booking.amount().currencyCode(),
                    booking.periodStart(),
                    booking.reversed());
        }
    }
}
