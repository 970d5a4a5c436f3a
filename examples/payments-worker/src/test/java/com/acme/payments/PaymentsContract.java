package com.acme.payments;

import static com.acme.payments.TestData.euro;
import static com.acme.payments.TestData.payment;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.acme.payments.domain.model.Beneficiary;
import com.acme.payments.domain.model.Money;
import com.acme.payments.domain.model.Payment;
import com.acme.payments.domain.repository.AccountRepository;
import com.acme.payments.domain.repository.PaymentRepository;
import com.acme.payments.orchestration.CreateAccount;
import com.acme.payments.orchestration.ParallelPayment;
import com.acme.payments.orchestration.SimplePayment;
import io.micronaut.context.ApplicationContext;
import io.waybill.process.ProcessManager;
import io.waybill.process.state.ProcessStatus;
import io.waybill.process.store.ProcessQuery;
import io.waybill.testkit.services.database.TestDatabase;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** The whole worker on a database: whatever goes wrong, money neither appears nor disappears. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class PaymentsContract {

    private static final Duration SOON = Duration.ofSeconds(30);
    private static final int MANY = Integer.getInteger("waybill.example.payments", 200);

    private TestDatabase database;
    private ApplicationContext context;
    private ProcessManager processes;
    private LedgerCheck ledger;

    @SuppressWarnings("NullAway.Init")
    PaymentsContract() {}

    abstract TestDatabase newDatabase();

    @BeforeAll
    void start() {
        database = newDatabase();
        context = worker();
        processes = context.getBean(ProcessManager.class);
        ledger = new LedgerCheck(database.dataSource());
        context.getBean(PaymentRepository.class).block("Mallory", "known for it");
    }

    private ApplicationContext worker() {
        return ApplicationContext.run(Map.of(
                "datasources.default.url",
                database.jdbcUrl() + (isH2() ? ";LOCK_TIMEOUT=20000" : ""),
                "datasources.default.username",
                database.user(),
                "datasources.default.password",
                database.password(),
                "payments.api-token",
                "a token of the tests"));
    }

    private boolean isH2() {
        return database.jdbcUrl().startsWith("jdbc:h2");
    }

    @AfterAll
    void stop() {
        context.close();
        database.close();
    }

    @Test
    void a_payment_is_made() {
        UUID account = open("100.00", null);

        UUID payment = pay(SimplePayment.TYPE, account, "30.00", "Bob", "EUR");

        assertThat(ended(SimplePayment.TYPE, payment)).isEqualTo(ProcessStatus.SUCCEEDED);
        assertThat(entries(payment)).containsExactly("DEBIT 30.00");
        assertThat(contracts(payment)).isEmpty();
        ledger.balances();
    }

    @Test
    void a_payment_in_another_currency_exchanges() {
        UUID account = open("100.00", "500.00");

        UUID payment = pay(ParallelPayment.TYPE, account, "30.00", "Bob", "USD");

        assertThat(ended(ParallelPayment.TYPE, payment)).isEqualTo(ProcessStatus.SUCCEEDED);
        assertThat(contracts(payment)).hasSize(1);
        ledger.balances();
    }

    @Test
    void a_payment_says_what_was_exchanged_and_its_owner_is_told_once() {
        UUID account = open("100.00", null);

        UUID payment = pay(SimplePayment.TYPE, account, "30.00", "Bob", "USD");

        assertThat(ended(SimplePayment.TYPE, payment)).isEqualTo(ProcessStatus.SUCCEEDED);
        var payments = context.getBean(PaymentRepository.class);
        Payment made = payments.findById(payment).orElseThrow();
        assertThat(made.debitAmount()).isEqualTo(euro("30.00"));
        assertThat(made.creditAmount()).isEqualTo(Money.of("32.55", "USD"));
        assertThat(made.exchangeRate()).isEqualByComparingTo("1.0850");
        assertThat(made.valueDate()).isEqualTo(TestData.DAY);
        assertThat(made.status()).isEqualTo(Payment.Status.COMPLETED);
        assertThat(payments.findByAccountId(account)).containsExactly(made);
        await().atMost(SOON).until(() -> payments.findNotifications(payment), found -> !found.isEmpty());
        assertThat(payments.findNotifications(payment)).containsExactly("30.00 EUR went to Bob, who gets 32.55 USD");
        ledger.balances();
    }

    @Test
    void a_beneficiary_of_this_bank_is_credited() {
        UUID account = open("100.00", null);
        UUID another = open("1.00", null);

        UUID payment = pay(SimplePayment.TYPE, account, "30.00", new Beneficiary("Bob", another), "EUR");

        assertThat(ended(SimplePayment.TYPE, payment)).isEqualTo(ProcessStatus.SUCCEEDED);
        assertThat(balance(another)).isEqualTo(euro("31.00"));
        ledger.balances();
    }

    @Test
    void a_credit_that_is_refused_undoes_the_payment() {
        UUID account = open("100.00", null);
        UUID another = open("1.00", null);

        UUID payment = pay(SimplePayment.TYPE, account, "30.00", new Beneficiary("Bob", another), "USD");

        assertThat(ended(SimplePayment.TYPE, payment)).isEqualTo(ProcessStatus.COMPENSATED);
        assertThat(balance(account)).isEqualTo(euro("100.00"));
        assertThat(context.getBean(PaymentRepository.class)
                        .findById(payment)
                        .orElseThrow()
                        .status())
                .isEqualTo(Payment.Status.CANCELLED);
        ledger.balances();
    }

    @Test
    void an_account_that_is_not_opened_after_all_is_voided_and_its_entries_stay() {
        UUID account = UUID.randomUUID();
        Map<String, Object> data = new HashMap<>(TestData.account(account, "50.00", "10.00"));
        data.put("limits", List.of(Map.of("period", "DAILY", "transactionType", "DEBIT", "limit", "nothing")));

        processes.startProcess(CreateAccount.TYPE, account.toString(), data);

        assertThat(ended(CreateAccount.TYPE, account)).isEqualTo(ProcessStatus.COMPENSATED);
        assertThat(ledger.rows("SELECT transaction_type, amount FROM transaction WHERE account_id = '" + account
                        + "' ORDER BY entry_number"))
                .containsExactly("CREDIT 50.00", "VOID 50.00");
        ledger.balances();
    }

    private Money balance(UUID account) {
        return context.getBean(AccountRepository.class)
                .findById(account)
                .orElseThrow()
                .availableBalance();
    }

    @Test
    void insufficient_funds_undo_the_exchange() {
        UUID account = open("10.00", null);

        UUID payment = pay(SimplePayment.TYPE, account, "10.01", "Bob", "USD");

        assertThat(ended(SimplePayment.TYPE, payment)).isEqualTo(ProcessStatus.COMPENSATED);
        assertThat(entries(payment)).isEmpty();
        assertThat(unwound(payment)).hasSize(1);
        ledger.balances();
    }

    @Test
    void an_exceeded_limit_ends_a_payment_before_anything_was_done() {
        UUID account = open("0.00", "50.00");

        UUID first = pay(SimplePayment.TYPE, account, "50.00", "Bob", "EUR");
        assertThat(ended(SimplePayment.TYPE, first)).isEqualTo(ProcessStatus.SUCCEEDED);
        UUID second = pay(SimplePayment.TYPE, account, "0.01", "Bob", "EUR");

        assertThat(ended(SimplePayment.TYPE, second)).isEqualTo(ProcessStatus.FAILED);
        assertThat(entries(second)).isEmpty();
        ledger.balances();
    }

    @Test
    void a_limit_that_is_exceeded_while_others_work_undoes_their_work() {
        UUID account = open("100.00", "50.00");

        UUID payment = pay(ParallelPayment.TYPE, account, "50.01", "Bob", "USD");

        assertThat(ended(ParallelPayment.TYPE, payment)).isEqualTo(ProcessStatus.COMPENSATED);
        assertThat(entries(payment)).isEmpty();
        assertThat(unwound(payment)).hasSize(1);
        ledger.balances();
    }

    @Test
    void a_worker_that_stops_in_the_middle_leaves_its_payments_to_others() {
        UUID account = open("1000.00", null);
        List<UUID> payments;
        try (ApplicationContext another = worker()) {
            var manager = another.getBean(ProcessManager.class);
            payments = Stream.generate(UUID::randomUUID).limit(20).toList();
            payments.forEach(payment -> manager.startProcess(
                    SimplePayment.TYPE, payment.toString(), payment(payment, account, "1.00", "Bob", "USD")));
        }

        assertThat(payments)
                .allSatisfy(payment ->
                        assertThat(ended(SimplePayment.TYPE, payment)).isEqualTo(ProcessStatus.SUCCEEDED));
        ledger.balances();
    }

    @Test
    void a_rejected_beneficiary_leaves_the_debit_and_its_reversal() {
        UUID account = open("100.00", "500.00");

        UUID payment = pay(SimplePayment.TYPE, account, "30.00", "Mallory", "EUR");

        assertThat(ended(SimplePayment.TYPE, payment)).isEqualTo(ProcessStatus.COMPENSATED);
        assertThat(entries(payment)).containsExactly("DEBIT 30.00", "REVERSAL 30.00");
        ledger.balances();
    }

    @Test
    void a_beneficiary_who_is_rejected_while_others_work_undoes_their_work() {
        UUID account = open("100.00", "500.00");

        UUID payment = pay(ParallelPayment.TYPE, account, "30.00", "Mallory", "USD");

        assertThat(ended(ParallelPayment.TYPE, payment)).isEqualTo(ProcessStatus.COMPENSATED);
        assertThat(entries(payment)).isEmpty();
        ledger.balances();
    }

    @Test
    void a_rate_that_is_gone_gives_the_limit_back() {
        UUID account = open("100.00", "500.00");

        UUID payment = pay(SimplePayment.TYPE, account, "30.00", "Bob", "JPY");

        assertThat(ended(SimplePayment.TYPE, payment)).isEqualTo(ProcessStatus.COMPENSATED);
        ledger.balances();
    }

    @Test
    void the_same_payment_asked_for_twice_is_made_once() {
        UUID account = open("100.00", null);
        UUID payment = UUID.randomUUID();

        UUID first = processes.startProcess(
                SimplePayment.TYPE, payment.toString(), payment(payment, account, "30.00", "Bob", "EUR"));
        UUID second = processes.startProcess(
                SimplePayment.TYPE, payment.toString(), payment(payment, account, "30.00", "Bob", "EUR"));

        assertThat(second).isEqualTo(first);
        assertThat(ended(SimplePayment.TYPE, payment)).isEqualTo(ProcessStatus.SUCCEEDED);
        assertThat(entries(payment)).containsExactly("DEBIT 30.00");
    }

    @Test
    void many_payments_with_random_failures_balance_to_the_cent() throws Exception {
        var accounts = new ArrayList<UUID>();
        for (int i = 0; i < Math.max(20, MANY / 40); i++) {
            accounts.add(open("200.00", i % 2 == 0 ? null : "300.00"));
        }
        var threads = Executors.newFixedThreadPool(4);
        var started = new ArrayList<Future<List<UUID>>>();
        for (int thread = 0; thread < 4; thread++) {
            var random = new Random(thread);
            started.add(threads.submit(() -> payAtRandom(accounts, random, MANY / 4)));
        }
        var payments = new ArrayList<UUID>();
        for (var some : started) {
            payments.addAll(some.get());
        }
        threads.shutdown();

        await().atMost(Duration.ofSeconds(30 + MANY / 5))
                .pollInterval(Duration.ofMillis(250))
                .until(() -> processes
                        .search(ProcessQuery.ANY.in(
                                ProcessStatus.NEW, ProcessStatus.RUNNING, ProcessStatus.COMPENSATING))
                        .isEmpty());

        ledger.balances();
        assertThat(processes.stuck(10)).isEmpty();
        List<String> ends = ledger.rows(
                "SELECT status, COUNT(*) FROM process_instance WHERE process_type <> 'CreateAccount' GROUP BY status");
        assertThat(ends).as("some were made, some were undone").hasSizeGreaterThanOrEqualTo(2);
        assertThat(payments).hasSize(MANY);
    }

    private List<UUID> payAtRandom(List<UUID> accounts, Random random, int count) {
        var payments = new ArrayList<UUID>();
        for (int i = 0; i < count; i++) {
            String target = List.of("EUR", "EUR", "USD", "GBP", "JPY").get(random.nextInt(5));
            String type = target.equals("EUR") || random.nextBoolean() ? SimplePayment.TYPE : ParallelPayment.TYPE;
            payments.add(pay(
                    type,
                    accounts.get(random.nextInt(accounts.size())),
                    BigDecimal.valueOf(1 + random.nextInt(6_000), 2).toString(),
                    random.nextInt(5) == 0 ? "Mallory" : "Bob",
                    target));
        }
        return payments;
    }

    private UUID open(String balance, @Nullable String limit) {
        UUID account = UUID.randomUUID();
        processes.startProcess(CreateAccount.TYPE, account.toString(), TestData.account(account, balance, limit));
        assertThat(ended(CreateAccount.TYPE, account)).isEqualTo(ProcessStatus.SUCCEEDED);
        ledger.paidIn(balance);
        return account;
    }

    private UUID pay(String type, UUID account, String amount, String beneficiary, String target) {
        return pay(type, account, amount, new Beneficiary(beneficiary, null), target);
    }

    private UUID pay(String type, UUID account, String amount, Beneficiary beneficiary, String target) {
        UUID payment = UUID.randomUUID();
        processes.startProcess(type, payment.toString(), payment(payment, account, amount, beneficiary, target));
        return payment;
    }

    private ProcessStatus ended(String type, UUID key) {
        return await().atMost(SOON)
                .pollInterval(Duration.ofMillis(20))
                .until(
                        () -> processes
                                .search(ProcessQuery.ANY.ofType(type).about(key.toString()))
                                .get(0)
                                .status(),
                        ProcessStatus::isFinished);
    }

    private List<String> entries(UUID payment) {
        return ledger.rows("SELECT transaction_type, amount FROM transaction WHERE booking_id = '" + payment
                + "' ORDER BY entry_number");
    }

    private List<String> unwound(UUID payment) {
        return ledger.rows(
                "SELECT contract_id, rate FROM fx_contract WHERE unwound AND booking_id = '" + payment + "'");
    }

    private List<String> contracts(UUID payment) {
        return ledger.rows("SELECT contract_id, rate FROM fx_contract WHERE booking_id = '" + payment + "'");
    }
}
