package com.acme.payments.infrastructure.persistence;

import com.acme.payments.domain.model.AccountLimit;
import com.acme.payments.domain.model.LimitBooking;
import com.acme.payments.domain.repository.LimitRepository;
import jakarta.inject.Singleton;
import java.util.Optional;
import java.util.UUID;

@Singleton
class JdbcLimitRepository implements LimitRepository {

    private final Sql sql;

    JdbcLimitRepository(Sql sql) {
        this.sql = sql;
    }

    @Override
    public Optional<AccountLimit> lock(UUID accountId) {
        return sql
                .query(
                        """
                        SELECT account_id, limit_amount, utilized, currency_code
                          FROM account_limit
                         WHERE account_id = ?
                           FOR UPDATE
                        """,
                        row -> new AccountLimit(
                                Sql.uuid(row, "account_id"),
                                Sql.money(row, "limit_amount", "currency_code"),
                                Sql.money(row, "utilized", "currency_code")),
                        accountId)
                .stream()
                .findFirst();
    }

    @Override
    public void save(AccountLimit limit) {
        int updated = sql.update(
                "UPDATE account_limit SET limit_amount = ?, utilized = ? WHERE account_id = ?",
                limit.limit().amount(),
                limit.utilized().amount(),
                limit.accountId());
        if (updated == 0) {
            sql.update(
                    "INSERT INTO account_limit (account_id, limit_amount, utilized, currency_code) VALUES (?, ?, ?, ?)",
                    limit.accountId(),
                    limit.limit().amount(),
                    limit.utilized().amount(),
                    limit.limit().currencyCode());
        }
    }

    @Override
    public void delete(UUID accountId) {
        sql.update("DELETE FROM account_limit WHERE account_id = ?", accountId);
    }

    @Override
    public Optional<LimitBooking> findBooking(UUID bookingId) {
        return sql
                .query(
                        """
                        SELECT booking_id, account_id, amount, currency_code, reversed
                          FROM limit_booking
                         WHERE booking_id = ?
                        """,
                        row -> new LimitBooking(
                                Sql.uuid(row, "booking_id"),
                                Sql.uuid(row, "account_id"),
                                Sql.money(row, "amount", "currency_code"),
                                row.getBoolean("reversed")),
                        bookingId)
                .stream()
                .findFirst();
    }

    @Override
    public void save(LimitBooking booking) {
        int updated = sql.update(
                "UPDATE limit_booking SET reversed = ? WHERE booking_id = ?", booking.reversed(), booking.bookingId());
        if (updated == 0) {
            sql.update(
                    """
                    INSERT INTO limit_booking (booking_id, account_id, amount, currency_code, reversed)
                    VALUES (?, ?, ?, ?, ?)
                    """,
                    booking.bookingId(),
                    booking.accountId(),
                    booking.amount().amount(),
                    booking.amount().currencyCode(),
                    booking.reversed());
        }
    }
}
