package com.acme.payments.infrastructure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.acme.payments.domain.model.Account;
import com.acme.payments.domain.model.AccountLimit;
import com.acme.payments.domain.model.AccountLimit.Period;
import com.acme.payments.domain.model.AccountType;
import com.acme.payments.domain.model.Beneficiary;
import com.acme.payments.domain.model.FxContract;
import com.acme.payments.domain.model.LimitBooking;
import com.acme.payments.domain.model.Money;
import com.acme.payments.domain.model.Payment;
import com.acme.payments.domain.model.Transaction;
import com.acme.payments.domain.model.TransactionType;
import com.acme.payments.domain.repository.AccountRepository;
import com.acme.payments.domain.repository.FxContractRepository;
import com.acme.payments.domain.repository.LimitRepository;
import com.acme.payments.domain.repository.PaymentRepository;
import io.micronaut.test.extensions.junit5.annotation.MicronautTest;
import io.micronaut.test.support.TestPropertyProvider;
import io.micronaut.transaction.TransactionOperations;
import io.waybill.testkit.services.database.Postgres;
import io.waybill.testkit.services.database.TestDatabase;
import jakarta.inject.Inject;
import java.math.BigDecimal;
import java.sql.Connection;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** What is saved comes back as it was, to the cent, and what must not be in the database is refused by it. */
@MicronautTest(startApplication = false, transactional = false)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class RepositoriesTest implements TestPropertyProvider {

    private static final LocalDate DAY = LocalDate.of(2026, 3, 10);

    private final TestDatabase database = Postgres.shared().newDatabase();

    @Inject
    AccountRepository accounts;

    @Inject
    LimitRepository limits;

    @Inject
    PaymentRepository payments;

    @Inject
    FxContractRepository contracts;

    @Inject
    TransactionOperations<Connection> transactions;

    @SuppressWarnings("NullAway.Init")
    RepositoriesTest() {}

    @Override
    public Map<String, String> getProperties() {
        return Map.of(
                "datasources.default.url", database.jdbcUrl(),
                "datasources.default.username", database.user(),
                "datasources.default.password", database.password(),
                "payments.api-token", "a token of the tests",
                "waybill.relays", "0");
    }

    @AfterAll
    void stop() {
        database.close();
    }

    @Test
    void an_account_comes_back_with_its_entries_in_order() {
        Account account = account("99999999999999999.99", true);
        account.createTransaction(TransactionType.DEBIT, UUID.randomUUID(), eur("0.10"), "one");
        account.createTransaction(TransactionType.DEBIT, UUID.randomUUID(), eur("0.20"), "two");
        accounts.save(account);

        Account found = accounts.findById(account.accountId()).orElseThrow();

        assertThat(found).usingRecursiveComparison().isEqualTo(account);
        assertThat(found.availableBalance()).isEqualTo(eur("99999999999999999.69"));
        assertThat(found.transactions()).extracting(Transaction::description).containsExactly("opening", "one", "two");
    }

    @Test
    void an_account_that_is_saved_again_gets_only_its_new_entries() {
        Account account = account("10.00", false);
        accounts.save(account);
        account.createTransaction(TransactionType.DEBIT, UUID.randomUUID(), eur("4.00"), "one");

        accounts.save(account);
        accounts.save(account);

        assertThat(accounts.findById(account.accountId()).orElseThrow().transactions())
                .isEqualTo(account.transactions());
    }

    @Test
    void who_locks_an_account_sees_what_others_have_done_to_it() throws Exception {
        Account account = account("100.00", false);
        accounts.save(account);
        var threads = Executors.newFixedThreadPool(4);
        var debits = new ArrayList<Future<Transaction>>();
        for (int i = 0; i < 40; i++) {
            debits.add(threads.submit(() -> inTransaction(() -> debit(account.accountId(), "1.00"))));
        }
        for (Future<Transaction> debit : debits) {
            debit.get();
        }
        threads.shutdown();

        Account found = accounts.findById(account.accountId()).orElseThrow();

        assertThat(found.availableBalance()).isEqualTo(eur("60.00"));
        assertThat(found.transactions()).hasSize(41);
    }

    private Transaction debit(UUID accountId, String amount) {
        Account account = accounts.lock(accountId).orElseThrow();
        Transaction entry =
                account.createTransaction(TransactionType.DEBIT, UUID.randomUUID(), eur(amount), "concurrently");
        accounts.save(account);
        return entry;
    }

    @Test
    void the_database_refuses_a_second_debit_of_a_booking_and_a_balance_below_zero() {
        UUID booking = UUID.randomUUID();
        Account one = account("10.00", false);
        one.createTransaction(TransactionType.DEBIT, booking, eur("1.00"), "first");
        accounts.save(one);
        Account another = account("10.00", false);
        another.createTransaction(TransactionType.DEBIT, booking, eur("1.00"), "second");

        assertThatThrownBy(() -> accounts.save(another)).hasMessageContaining("booking_id");
        assertThat(accounts.findById(another.accountId()))
                .as("all of an account is saved, or nothing")
                .isEmpty();
        Account broken = Account.restore(
                UUID.randomUUID(),
                UUID.randomUUID(),
                number(),
                AccountType.CHECKING,
                "001",
                false,
                Account.Status.ACTIVE,
                eur("-0.01"),
                one.transactions());
        assertThatThrownBy(() -> accounts.save(broken)).hasMessageContaining("check");
    }

    @Test
    void an_account_is_found_by_its_number_and_its_customer() {
        Account account = account("10.00", false);
        accounts.save(account);

        assertThat(accounts.findByAccountNumber(account.accountNumber()).orElseThrow())
                .usingRecursiveComparison()
                .isEqualTo(account);
        assertThat(accounts.findByCustomerId(account.customerId()))
                .extracting(Account::accountId)
                .containsExactly(account.accountId());
        assertThat(accounts.findByAccountNumber("nobody's")).isEmpty();
        assertThat(accounts.findByCustomerId(UUID.randomUUID())).isEmpty();
    }

    @Test
    void a_closed_account_keeps_its_entries() {
        Account account = account("10.00", false);
        accounts.save(account);
        account.close();

        accounts.save(account);

        assertThat(accounts.findById(account.accountId()).orElseThrow())
                .usingRecursiveComparison()
                .isEqualTo(account);
    }

    @Test
    void limits_and_what_is_booked_against_them_come_back() {
        Account account = account("0.01", true);
        accounts.save(account);
        AccountLimit limit =
                AccountLimit.unused(account.accountId(), Period.MONTHLY, TransactionType.DEBIT, eur("500.00"), DAY);
        var booking = new LimitBooking(UUID.randomUUID(), limit.limitId(), eur("33.33"), limit.periodStart(), false);
        AccountLimit booked = limit.book(booking.amount());
        limits.save(limit);
        limits.save(booking);
        limits.save(booked);
        limits.save(booking.reverse());

        assertThat(limits.lock(account.accountId())).containsExactly(booked);
        assertThat(limits.findBookings(booking.bookingId())).containsExactly(booking.reverse());
        assertThatThrownBy(() -> limits.save(AccountLimit.unused(
                        account.accountId(), Period.MONTHLY, TransactionType.DEBIT, eur("1.00"), DAY)))
                .as("one limit for a period and a type")
                .hasMessageContaining("unique");
        limits.delete(account.accountId());
        assertThat(limits.lock(account.accountId())).isEmpty();
    }

    @Test
    void payments_and_contracts_come_back() {
        Account account = account("100.00", false);
        Transaction debit =
                account.createTransaction(TransactionType.DEBIT, UUID.randomUUID(), eur("12.34"), "a payment");
        accounts.save(account);
        Payment payment = payment(debit.bookingId(), account, debit);
        var contract = new FxContract(
                UUID.randomUUID(),
                debit.bookingId(),
                eur("12.34"),
                Money.of("13.39", "USD"),
                new BigDecimal("1.085000"),
                false);
        payments.save(payment);
        contracts.save(contract);

        assertThat(payments.findById(payment.paymentId())).contains(payment);
        assertThat(payments.findByAccountId(account.accountId())).containsExactly(payment);
        assertThat(contracts.findByBooking(debit.bookingId())).contains(contract);
        payments.save(payment.cancel());
        assertThat(payments.findById(payment.paymentId())).contains(payment.cancel());
        Payment second = payment(UUID.randomUUID(), account, debit);
        assertThatThrownBy(() -> payments.save(second)).hasMessageContaining("transaction_id");
    }

    @Test
    void a_payment_is_told_once_and_who_is_blocked_is_known() {
        Account account = account("100.00", false);
        Transaction debit =
                account.createTransaction(TransactionType.DEBIT, UUID.randomUUID(), eur("1.00"), "a payment");
        accounts.save(account);
        Payment payment = payment(debit.bookingId(), account, debit);
        payments.save(payment);
        payments.saveNotification(payment.paymentId(), "paid");

        assertThat(payments.findNotifications(payment.paymentId())).containsExactly("paid");
        assertThatThrownBy(() -> payments.saveNotification(payment.paymentId(), "paid again"))
                .hasMessageContaining("payment_notification");
        assertThat(payments.isBlocked("Mallory")).isFalse();
        payments.block("Mallory", "known for it");
        assertThat(payments.isBlocked("Mallory")).isTrue();
    }

    private static Payment payment(UUID paymentId, Account account, Transaction debit) {
        return new Payment(
                paymentId,
                account.accountId(),
                debit.transactionId(),
                debit.amount(),
                Money.of("13.39", "USD"),
                new BigDecimal("1.085000"),
                DAY,
                new Beneficiary("Bob", null),
                Payment.Status.SUBMITTED);
    }

    private <T> T inTransaction(Supplier<T> work) {
        return transactions.executeWrite(status -> work.get());
    }

    private static Account account(String balance, boolean limitBased) {
        var account = Account.open(
                UUID.randomUUID(), UUID.randomUUID(), number(), "EUR", AccountType.CHECKING, "001", limitBased);
        account.createTransaction(TransactionType.CREDIT, UUID.randomUUID(), eur(balance), "opening");
        account.activate();
        return account;
    }

    private static String number() {
        return UUID.randomUUID().toString().substring(0, 30);
    }

    private static Money eur(String amount) {
        return Money.of(amount, "EUR");
    }
}
