package com.acme.payments.infrastructure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.acme.payments.domain.model.Account;
import com.acme.payments.domain.model.AccountLimit;
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
import io.micronaut.context.ApplicationContext;
import io.micronaut.transaction.TransactionOperations;
import io.waybill.testkit.services.database.Postgres;
import io.waybill.testkit.services.database.TestDatabase;
import java.math.BigDecimal;
import java.sql.Connection;
import java.util.ArrayList;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** What is saved comes back as it was, to the cent, and what must not be in the database is refused by it. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class RepositoriesTest {

    private TestDatabase database;
    private ApplicationContext context;
    private AccountRepository accounts;
    private LimitRepository limits;
    private PaymentRepository payments;
    private FxContractRepository contracts;

    @SuppressWarnings("NullAway.Init")
    RepositoriesTest() {}

    @BeforeAll
    void start() {
        database = Postgres.shared().newDatabase();
        context = ApplicationContext.run(Map.of(
                "datasources.default.url", database.jdbcUrl(),
                "datasources.default.username", database.user(),
                "datasources.default.password", database.password(),
                "messaging.consumers.enabled", false));
        accounts = context.getBean(AccountRepository.class);
        limits = context.getBean(LimitRepository.class);
        payments = context.getBean(PaymentRepository.class);
        contracts = context.getBean(FxContractRepository.class);
    }

    @AfterAll
    void stop() {
        context.close();
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
                UUID.randomUUID(), UUID.randomUUID(), number(), false, true, eur("-0.01"), one.transactions());
        assertThatThrownBy(() -> accounts.save(broken)).hasMessageContaining("check");
    }

    @Test
    void limits_and_what_is_booked_against_them_come_back() {
        Account account = account("0.01", true);
        accounts.save(account);
        var limit = new AccountLimit(account.accountId(), eur("500.00"), eur("0.00"));
        var booking = new LimitBooking(UUID.randomUUID(), account.accountId(), eur("33.33"), false);
        limits.save(limit);
        limits.save(booking);
        limits.save(limit.book(booking.amount()));
        limits.save(new LimitBooking(booking.bookingId(), booking.accountId(), booking.amount(), true));

        assertThat(limits.lock(account.accountId()))
                .contains(new AccountLimit(account.accountId(), eur("500.00"), eur("33.33")));
        assertThat(limits.findBooking(booking.bookingId()).orElseThrow().reversed())
                .isTrue();
        assertThatThrownBy(() -> limits.save(new AccountLimit(account.accountId(), eur("500.00"), eur("500.01"))))
                .hasMessageContaining("check");
        limits.delete(account.accountId());
        assertThat(limits.lock(account.accountId())).isEmpty();
    }

    @Test
    void a_payment_and_its_exchange_come_back_and_there_is_one_for_a_debit() {
        Account account = account("50.00", false);
        Transaction debit = account.createTransaction(TransactionType.DEBIT, UUID.randomUUID(), eur("12.34"), "pay");
        accounts.save(account);
        var payment = new Payment(debit.bookingId(), account.accountId(), debit.transactionId(), "Bob", eur("12.34"));
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
        assertThat(contracts.findByBooking(debit.bookingId())).contains(contract);
        var second = new Payment(UUID.randomUUID(), account.accountId(), debit.transactionId(), "Eve", eur("12.34"));
        assertThatThrownBy(() -> payments.save(second)).hasMessageContaining("transaction_id");
        assertThat(payments.isBlocked("Mallory")).isFalse();
        payments.block("Mallory", "known for it");
        assertThat(payments.isBlocked("Mallory")).isTrue();
    }

    private <T> T inTransaction(Supplier<T> work) {
        TransactionOperations<Connection> transactions = transactions();
        return transactions.executeWrite(status -> work.get());
    }

    @SuppressWarnings("unchecked")
    private TransactionOperations<Connection> transactions() {
        return context.getBean(TransactionOperations.class);
    }

    private static Account account(String balance, boolean limitBased) {
        var account = Account.open(UUID.randomUUID(), UUID.randomUUID(), number(), "EUR", limitBased);
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
