package com.acme.payments.domain.service;

import com.acme.payments.domain.model.Account;
import com.acme.payments.domain.model.AccountLimit;
import com.acme.payments.domain.model.AccountType;
import com.acme.payments.domain.model.FxContract;
import com.acme.payments.domain.model.LimitBooking;
import com.acme.payments.domain.model.Money;
import com.acme.payments.domain.model.Payment;
import com.acme.payments.domain.model.TransactionType;
import com.acme.payments.domain.repository.AccountRepository;
import com.acme.payments.domain.repository.FxContractRepository;
import com.acme.payments.domain.repository.LimitRepository;
import com.acme.payments.domain.repository.PaymentRepository;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/** Repositories for tests of the services. */
final class Memory {

    private Memory() {}

    /** An account that may be used, with this on it. */
    static Account account(String balance) {
        Account account =
                Account.open(UUID.randomUUID(), UUID.randomUUID(), "A-1", "EUR", AccountType.CHECKING, "001", false);
        account.activate();
        account.createTransaction(TransactionType.CREDIT, account.accountId(), euro(balance), "Opening balance");
        return account;
    }

    static Money euro(String amount) {
        return Money.of(amount, "EUR");
    }

    /** Accounts by id. */
    static final class Accounts implements AccountRepository {
        private final Map<UUID, Account> byId = new LinkedHashMap<>();

        Account with(Account account) {
            save(account);
            return account;
        }

        @Override
        public Optional<Account> lock(UUID accountId) {
            return findById(accountId);
        }

        @Override
        public Optional<Account> findById(UUID accountId) {
            return Optional.ofNullable(byId.get(accountId));
        }

        @Override
        public Optional<Account> findByAccountNumber(String accountNumber) {
            return byId.values().stream()
                    .filter(account -> account.accountNumber().equals(accountNumber))
                    .findFirst();
        }

        @Override
        public List<Account> findByCustomerId(UUID customerId) {
            return byId.values().stream()
                    .filter(account -> account.customerId().equals(customerId))
                    .toList();
        }

        @Override
        public void save(Account account) {
            byId.put(account.accountId(), account);
        }
    }

    /** Limits by id, and what is booked. */
    static final class Limits implements LimitRepository {
        private final Map<UUID, AccountLimit> byId = new LinkedHashMap<>();
        private final Map<List<UUID>, LimitBooking> bookings = new LinkedHashMap<>();

        @Override
        public List<AccountLimit> lock(UUID accountId) {
            return byId.values().stream()
                    .filter(limit -> limit.accountId().equals(accountId))
                    .toList();
        }

        @Override
        public void save(AccountLimit limit) {
            byId.put(limit.limitId(), limit);
        }

        @Override
        public void delete(UUID accountId) {
            byId.values().removeIf(limit -> limit.accountId().equals(accountId));
        }

        @Override
        public List<LimitBooking> findBookings(UUID bookingId) {
            return bookings.values().stream()
                    .filter(booking -> booking.bookingId().equals(bookingId))
                    .toList();
        }

        @Override
        public void save(LimitBooking booking) {
            bookings.put(List.of(booking.bookingId(), booking.limitId()), booking);
        }
    }

    /** Payments by id, notifications and those who are never paid. */
    static final class Payments implements PaymentRepository {
        private final Map<UUID, Payment> byId = new LinkedHashMap<>();
        private final Map<UUID, List<String>> notifications = new LinkedHashMap<>();
        private final Set<String> blocked = new HashSet<>();

        @Override
        public Optional<Payment> findById(UUID paymentId) {
            return Optional.ofNullable(byId.get(paymentId));
        }

        @Override
        public List<Payment> findByAccountId(UUID accountId) {
            return byId.values().stream()
                    .filter(payment -> payment.debitAccountId().equals(accountId))
                    .toList();
        }

        @Override
        public void save(Payment payment) {
            byId.put(payment.paymentId(), payment);
        }

        @Override
        public void saveNotification(UUID paymentId, String text) {
            notifications.computeIfAbsent(paymentId, id -> new ArrayList<>()).add(text);
        }

        @Override
        public List<String> findNotifications(UUID paymentId) {
            return notifications.getOrDefault(paymentId, List.of());
        }

        @Override
        public boolean isBlocked(String beneficiary) {
            return blocked.contains(beneficiary);
        }

        @Override
        public void block(String beneficiary, String reason) {
            blocked.add(beneficiary);
        }
    }

    /** Contracts by booking. */
    static final class Contracts implements FxContractRepository {
        private final Map<UUID, FxContract> byBooking = new LinkedHashMap<>();

        @Override
        public Optional<FxContract> findByBooking(UUID bookingId) {
            return Optional.ofNullable(byBooking.get(bookingId));
        }

        @Override
        public void save(FxContract contract) {
            byBooking.put(contract.bookingId(), contract);
        }
    }
}
