package io.waybill.micronaut.guide;

import io.micronaut.transaction.TransactionOperations;
import io.waybill.micronaut.guide.AccountCommands.CreateLimitsCommand;
import io.waybill.micronaut.guide.PaymentCommands.BookLimitsCommand;
import io.waybill.micronaut.guide.PaymentCommands.ReverseLimitsCommand;
import jakarta.inject.Singleton;
import jakarta.transaction.Transactional;
import java.sql.Connection;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** Sections 6.3 and 9.1. */
@Singleton
public class LimitService {
    private final LimitRepository limitRepository;

    public LimitService(LimitRepository limitRepository) {
        this.limitRepository = limitRepository;
    }

    @Transactional
    public AccountLimit bookLimits(BookLimitsCommand cmd) {
        // Check if already booked
        Optional<AccountLimit> existing = limitRepository.findByBookingId(cmd.bookingId());
        if (existing.isPresent()) {
            return existing.get(); // Already processed
        }

        // Load existing limits
        List<AccountLimit> limits = limitRepository.findByAccountId(cmd.debitAccountId());

        // Find applicable limit
        AccountLimit limit = limits.stream()
                .filter(l -> l.canAccommodate(cmd.amount()))
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("LimitExceeded: " + cmd.amount()));

        // Book amount
        AccountLimit updated = limit.book(cmd.amount(), cmd.bookingId());
        limitRepository.save(updated);

        return updated;
    }

    @Transactional
    public void reverseLimits(ReverseLimitsCommand cmd) {
        AccountLimit limit = limitRepository.findById(cmd.limitId()).orElseThrow();

        // Reverse using booking ID
        AccountLimit reversed = limit.release(cmd.bookingId());
        limitRepository.save(reversed);
    }

    @Transactional
    public void createLimits(CreateLimitsCommand cmd) {
        cmd.limits()
                .forEach(limit -> limitRepository.save(
                        new AccountLimit(UUID.randomUUID(), cmd.accountId(), limit.amount(), 0, null)));
    }

    /** What may leave an account, and the booking that uses it. */
    public record AccountLimit(
            UUID limitId, UUID accountId, double limitAmount, double limitBookedAmount, String bookedFor) {

        boolean canAccommodate(double amount) {
            return limitBookedAmount + amount <= limitAmount;
        }

        AccountLimit book(double amount, String bookingId) {
            return new AccountLimit(limitId, accountId, limitAmount, limitBookedAmount + amount, bookingId);
        }

        AccountLimit release(String bookingId) {
            return bookingId.equals(bookedFor) ? new AccountLimit(limitId, accountId, limitAmount, 0, null) : this;
        }
    }

    /** Limits by what the guide finds them by. */
    @Singleton
    public static class LimitRepository {
        private final TransactionOperations<Connection> tx;

        LimitRepository(TransactionOperations<Connection> tx) {
            this.tx = tx;
        }

        Optional<AccountLimit> findByBookingId(String bookingId) {
            return find("booking_id = ?", bookingId).stream().findFirst();
        }

        Optional<AccountLimit> findById(UUID limitId) {
            return find("limit_id = ?", limitId).stream().findFirst();
        }

        List<AccountLimit> findByAccountId(UUID accountId) {
            return find("account_id = ?", accountId);
        }

        private List<AccountLimit> find(String condition, Object value) {
            return tx.executeRead(status -> JdbcAccountRepository.read(
                    status.getConnection(),
                    "SELECT * FROM account_limit WHERE " + condition,
                    value,
                    row -> new AccountLimit(
                            row.getObject("limit_id", UUID.class),
                            row.getObject("account_id", UUID.class),
                            row.getDouble("limit_amount"),
                            row.getDouble("booked"),
                            row.getString("booking_id"))));
        }

        void save(AccountLimit limit) {
            tx.executeWrite(status -> {
                JdbcAccountRepository.write(
                        status.getConnection(),
                        """
                        INSERT INTO account_limit (limit_id, account_id, limit_amount, booked, booking_id) VALUES (?, ?, ?, ?, ?)
                            ON CONFLICT (limit_id) DO UPDATE SET booked = excluded.booked, booking_id = excluded.booking_id
                        """,
                        limit.limitId(),
                        limit.accountId(),
                        limit.limitAmount(),
                        limit.limitBookedAmount(),
                        limit.bookedFor());
                return null;
            });
        }
    }
}
