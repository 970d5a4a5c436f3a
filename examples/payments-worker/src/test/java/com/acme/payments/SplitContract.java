package com.acme.payments;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.waybill.testkit.services.database.Postgres;
import io.waybill.testkit.services.database.TestDatabase;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestMethodOrder;

/**
 * Orchestrator and worker as processes of their own, each on its own database, with a broker between them. Either is killed, and money
 * neither appears nor disappears.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
abstract class SplitContract {

    static final boolean FULL = Integer.getInteger("waybill.example.split", 0) > 0;

    private static final int PAYMENTS = Integer.getInteger("waybill.example.split", 100);
    private static final int ACCOUNTS = FULL ? 50 : 10;
    private static final int THREADS = 8;
    private static final Duration SOON = Duration.ofSeconds(60);

    /** The queue of replies has the name of the application. */
    private static final String REPLY = "Payments_Worker_Reply";

    /** Every type of command. */
    private static final List<String> TYPES = List.of(
            "CreateAccount",
            "CloseAccount",
            "CreateLimits",
            "RemoveLimits",
            "ActivateAccount",
            "ValidatePayment",
            "CheckBeneficiary",
            "BookLimits",
            "ReverseLimits",
            "BookFx",
            "UnwindFx",
            "CreateTransaction",
            "ReverseTransaction",
            "CreatePayment",
            "CancelPayment",
            "CreditBeneficiary",
            "RecallCredit",
            "NotifyPayment",
            "Deposit",
            REPLY);

    /** A payment that cannot be made, and the step after which a side dies; for the first the worker is started with it. */
    private record Death(String step, boolean parallel) {}

    private static final List<Death> DEATHS = FULL
            ? List.of(
                    new Death("BookLimits", false),
                    new Death("BookFx", false),
                    new Death("CreateTransaction", false),
                    new Death("ReverseTransaction", false),
                    new Death("UnwindFx", false),
                    new Death("ReverseLimits", false),
                    new Death("ValidatePayment", true),
                    new Death("CheckBeneficiary", true))
            : List.of(new Death("ReverseTransaction", false));

    private TestDatabase processes;
    private TestDatabase accounts;
    private PaymentsProcess orchestrator;
    private PaymentsProcess worker;
    private LedgerCheck ledger;
    private LedgerCheck log;

    @SuppressWarnings("NullAway.Init")
    SplitContract() {}

    abstract String brokerUrl();

    abstract void createQueue(String name);

    /** Whether sides die after single steps here; the ordinary build has it over one broker. */
    boolean diesAfterSteps() {
        return true;
    }

    private static String queue(String type) {
        return "APP.CMD." + type.toUpperCase(Locale.ROOT) + ".Q";
    }

    @BeforeAll
    void start() throws Exception {
        TYPES.forEach(type -> createQueue(queue(type)));
        processes = Postgres.shared().newDatabase();
        accounts = Postgres.shared().newDatabase();
        ledger = new LedgerCheck(accounts.dataSource());
        log = new LedgerCheck(processes.dataSource());
        orchestrator = PaymentsProcess.start(settings("orchestrator", processes), Map.of());
        worker = PaymentsProcess.start(
                settings("worker", accounts),
                diesAfterSteps() ? crashAfter(DEATHS.get(0).step()) : Map.of());
        orchestrator.awaitReady();
        worker.awaitReady();
        try (var connection = accounts.dataSource().getConnection();
                var statement = connection.createStatement()) {
            statement.execute("INSERT INTO blocked_beneficiary VALUES ('Mallory', 'known for it')");
        }
    }

    private Map<String, String> settings(String side, TestDatabase database) {
        return PaymentsProcess.settings(side, brokerUrl(), database.jdbcUrl(), database.user(), database.password());
    }

    @AfterAll
    void stop() throws Exception {
        orchestrator.close();
        worker.close();
        processes.close();
        accounts.close();
    }

    /** A payment that is undone in the end, for each step; when the step has been committed the side dies, and is started again. */
    @Test
    @Order(1)
    void a_side_that_dies_after_a_step_has_done_it_once() throws Exception {
        assumeTrue(diesAfterSteps(), "NOT TESTED: deaths on this broker, which run with -Pfull");
        UUID account = open("100.00", "500.00");
        for (Death death : DEATHS) {
            if (!death.equals(DEATHS.get(0))) {
                worker.kill();
                worker.restart(crashAfter(death.step()));
            }
            diesAfter(death, worker, account);
        }
        if (FULL) {
            for (boolean parallel : List.of(false, true)) {
                orchestrator.kill();
                orchestrator.restart(crashAfter(REPLY));
                diesAfter(new Death(REPLY, parallel), orchestrator, account);
            }
        }
        ledger.balances();
    }

    private void diesAfter(Death death, PaymentsProcess side, UUID account) throws Exception {
        UUID payment = UUID.randomUUID();
        pay(payment, account, "20.00", "Mallory", "USD", death.parallel());
        side.awaitEnd();
        side.restart(Map.of());

        await().atMost(SOON)
                .untilAsserted(() -> assertThat(
                                orchestrator.get("/payments/" + payment).body())
                        .as("after " + death)
                        .contains("\"status\":\"COMPENSATED\""));
        assertThat(ledger.rows("SELECT transaction_type, amount FROM transaction WHERE booking_id = '" + payment
                        + "' ORDER BY entry_number"))
                .as("after " + death)
                .isEqualTo(death.parallel() ? List.of() : List.of("DEBIT 20.00", "REVERSAL 20.00"));
    }

    private static Map<String, String> crashAfter(String step) {
        return Map.of("CRASH_AFTER", queue(step));
    }

    @Test
    @Order(2)
    void either_side_may_be_killed_at_any_time() throws Exception {
        var opened = new ArrayList<UUID>();
        for (int i = 0; i < ACCOUNTS; i++) {
            opened.add(open("300.00", i % 2 == 0 ? "" : "400.00"));
        }
        long before = ended();
        var threads = Executors.newFixedThreadPool(THREADS);
        var paying = new ArrayList<Future<Integer>>();
        for (int thread = 0; thread < THREADS; thread++) {
            paying.add(threads.submit(payer(opened, new Random(thread), share(thread))));
        }

        List<PaymentsProcess> killed =
                FULL ? List.of(worker, orchestrator, worker, orchestrator) : List.of(worker, orchestrator);
        for (int i = 0; i < killed.size(); i++) {
            kill(killed.get(i), before + (i + 1) * PAYMENTS / (killed.size() + 1));
        }
        int paid = 0;
        for (Future<Integer> some : paying) {
            paid += some.get(10, TimeUnit.MINUTES);
        }
        threads.shutdown();

        await().atMost(Duration.ofSeconds(60 + PAYMENTS / 4))
                .pollInterval(Duration.ofMillis(200))
                .until(() -> ended() == before + PAYMENTS && unfinished() == 0);
        assertThat(paid).isEqualTo(PAYMENTS);
        ledger.balances();
        assertThat(log.rows("SELECT status, COUNT(*) FROM process_instance WHERE process_type <> 'CreateAccount'"
                        + " GROUP BY status"))
                .as("some were made, some were undone, none is stuck")
                .hasSizeGreaterThanOrEqualTo(2);
        assertThat(ledger.rows("SELECT 'failed', COUNT(*) FROM failed_message")).containsExactly("failed 0");
    }

    private static int share(int thread) {
        return PAYMENTS / THREADS + (thread < PAYMENTS % THREADS ? 1 : 0);
    }

    /** Kills it when so many payments have come to their end, and starts it again. */
    private void kill(PaymentsProcess side, long ended) throws Exception {
        await().atMost(Duration.ofMinutes(5))
                .pollInterval(Duration.ofMillis(20))
                .until(() -> ended() >= ended);
        side.kill();
        side.restart(Map.of());
    }

    private long ended() {
        return count("status IN ('SUCCEEDED', 'COMPENSATED', 'FAILED')");
    }

    private long unfinished() {
        return count("status NOT IN ('SUCCEEDED', 'COMPENSATED', 'FAILED')");
    }

    private long count(String which) {
        String row = log.rows(
                        "SELECT 'n', COUNT(*) FROM process_instance WHERE process_type <> 'CreateAccount' AND " + which)
                .get(0);
        return Long.parseLong(row.substring(2));
    }

    private Callable<Integer> payer(List<UUID> opened, Random random, int count) {
        return () -> {
            for (int i = 0; i < count; i++) {
                pay(
                        UUID.randomUUID(),
                        opened.get(random.nextInt(opened.size())),
                        (1 + random.nextInt(60)) + "."
                                + String.valueOf(100 + random.nextInt(100)).substring(1),
                        random.nextInt(5) == 0 ? "Mallory" : "Bob",
                        List.of("EUR", "EUR", "USD", "GBP", "JPY").get(random.nextInt(5)),
                        random.nextBoolean());
            }
            return count;
        };
    }

    /** Asks for a payment until it is accepted: asked for twice, it is made once. */
    private void pay(UUID payment, UUID account, String amount, String beneficiary, String target, boolean parallel) {
        String json = "{\"paymentId\": \"" + payment + "\", \"accountId\": \"" + account
                + "\", \"beneficiary\": {\"name\": \""
                + beneficiary + "\"}, \"amount\": " + amount + ", \"currency\": \"EUR\", \"targetCurrency\": \""
                + target
                + "\", \"parallel\": " + parallel + "}";
        await().atMost(SOON)
                .pollInterval(Duration.ofMillis(50))
                .ignoreExceptionsInstanceOf(IOException.class)
                .until(() -> orchestrator.post("/payments", json).statusCode() == 202);
    }

    private UUID open(String balance, String limit) throws Exception {
        HttpResponse<String> answer = orchestrator.post(
                "/accounts",
                "{\"customerId\": \"" + UUID.randomUUID() + "\", \"accountNumber\": \""
                        + UUID.randomUUID().toString().substring(0, 30)
                        + "\", \"currency\": \"EUR\", \"openingBalance\": " + balance
                        + (limit.isEmpty() ? "" : ", \"limits\": [{\"period\": \"DAILY\", \"amount\": " + limit + "}]")
                        + "}");
        UUID account = UUID.fromString(answer.body().replaceAll(".*\"accountId\":\"([^\"]+)\".*", "$1"));
        await().atMost(SOON)
                .untilAsserted(() ->
                        assertThat(worker.get("/accounts/" + account).body()).contains("\"active\":true"));
        ledger.paidIn(balance);
        return account;
    }
}
