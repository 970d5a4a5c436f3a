package io.waybill.micronaut.guide;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.micronaut.context.ApplicationContext;
import io.micronaut.context.annotation.Requires;
import io.waybill.command.CommandBus;
import io.waybill.command.CommandReply;
import io.waybill.command.DomainCommand;
import io.waybill.command.handler.AutoCommandHandlerRegistry;
import io.waybill.command.store.CommandRepository;
import io.waybill.command.store.CommandStatus;
import io.waybill.micronaut.guide.AccountCommands.CreateAccountCommand;
import io.waybill.micronaut.guide.LimitService.AccountLimit;
import io.waybill.micronaut.guide.LimitService.LimitRepository;
import io.waybill.process.ProcessManager;
import io.waybill.process.definition.ProcessConfiguration;
import io.waybill.process.graph.ProcessGraph;
import io.waybill.process.state.ProcessEvent;
import io.waybill.process.state.ProcessInstance;
import io.waybill.process.state.ProcessStatus;
import io.waybill.process.store.ProcessLogRepository;
import io.waybill.process.store.ProcessRepository;
import io.waybill.testkit.services.database.Postgres;
import io.waybill.testkit.services.database.TestDatabase;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import jakarta.transaction.Transactional;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** Sections 4 to 7 and 9 of the developer's guide, compiled and run. The graphs of section 5.2 are run by {@code GuideProcessesTest}. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class GuideListingsTest {

    private static final Duration SOON = Duration.ofSeconds(30);
    private static final UUID CUSTOMER = UUID.randomUUID();

    private final TestDatabase database = Postgres.shared().newDatabase();
    private ApplicationContext context;

    @Inject
    CommandBus commandBus;

    @Inject
    ProcessManager processManager;

    @Inject
    ProcessRepository processRepository;

    @Inject
    ProcessLogRepository processLogRepository;

    @Inject
    CommandRepository commandRepository;

    @Inject
    AutoCommandHandlerRegistry registry;

    @Inject
    AccountRepository accountRepository;

    @Inject
    LimitRepository limitRepository;

    @Inject
    PaymentService paymentService;

    /** Section 4.1. */
    public record CreateOrderCommand(UUID customerId, List<String> items) implements DomainCommand {}

    /** Section 4.1. */
    public record Order(UUID orderId, int size) {}

    /** Section 4.1. */
    @Singleton
    public static class OrderService {
        // Auto-registered as handler for "CreateOrder"
        @Transactional
        public Order createOrder(CreateOrderCommand cmd) {
            return new Order(UUID.randomUUID(), cmd.items().size());
        }
    }

    /** Section 9.6: what must not be. */
    @Singleton
    @Requires(property = "ambiguous")
    public static class AccountProcessDefinition {
        public Map<String, Object> createAccount(CreateAccountCommand cmd) {
            return Map.of();
        }
    }

    @BeforeAll
    void start() {
        context = application(Map.of());
        context.inject(this);
    }

    private ApplicationContext application(Map<String, Object> more) {
        var all = new HashMap<String, Object>(Map.of(
                "spec",
                "guide",
                "datasources.default.url",
                database.jdbcUrl(),
                "datasources.default.username",
                database.user(),
                "datasources.default.password",
                database.password(),
                "flyway.datasources.default.enabled",
                true,
                "flyway.datasources.default.locations",
                "classpath:db/listings"));
        all.putAll(more);
        return ApplicationContext.run(all);
    }

    @AfterAll
    void stop() {
        context.close();
        database.close();
    }

    @Test
    void section_4_a_command_is_accepted_once_for_its_idempotency_key() {
        String jsonPayload = "{\"customerId\":\"" + CUSTOMER + "\",\"items\":[\"lamp\",\"desk\"]}";
        Map<String, String> headers = Map.of();

        UUID commandId = commandBus.accept(
                "CreateOrder",
                "process-123:CreateOrder", // Idempotency key
                "order-456", // Business key
                jsonPayload,
                headers);

        // Duplicate submission with same key returns existing commandId
        assertEquals(
                commandId,
                commandBus.accept("CreateOrder", "process-123:CreateOrder", "order-456", jsonPayload, headers));
        assertThatThrownBy(() ->
                        commandBus.accept("CreateOrder", "process-123:CreateOrder", "order-457", jsonPayload, headers))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("process-123:CreateOrder");
        await().atMost(SOON)
                .until(
                        () -> commandRepository
                                .findById(commandId)
                                .orElseThrow()
                                .status(),
                        CommandStatus.COMPLETED::equals);
        assertThat(commandRepository.findById(commandId).orElseThrow().reply()).contains("\"size\":2");
        assertThat(registry.types()).contains("CreateOrder", "CreateAccount", "BookLimits", "CompleteAccountCreation");
    }

    @Test
    void section_4_3_a_reply_is_made_and_read_as_the_guide_has_it() {
        UUID commandId = UUID.randomUUID();
        UUID correlationId = UUID.randomUUID();

        CommandReply reply = CommandReply.completed(
                commandId,
                correlationId,
                Map.of(
                        "paymentId", "uuid-here",
                        "status", "SUBMITTED",
                        "amount", 100.0));
        var failed = new CommandReply.Failed(commandId, correlationId, "timeout of the rates");
        var timedOut = new CommandReply.TimedOut(commandId, correlationId, "nobody answered");

        assertTrue(reply instanceof CommandReply.Completed completed
                && completed.data().get("status").equals("SUBMITTED"));
        assertEquals("timeout of the rates", failed.error());
        assertEquals(failed, CommandReply.failed(commandId, correlationId, "timeout of the rates"));
        assertEquals("nobody answered", timedOut.error());
    }

    @Test
    void section_5_an_error_of_the_business_is_undone_at_once() {
        Account account = createAccountWithBalance(50);

        ProcessInstance instance = ended(pay(account, "too-much", true));

        assertEquals(ProcessStatus.COMPENSATED, instance.status());
        List<ProcessEvent> events = processLogRepository.findByProcessId(instance.processId());
        assertThat(events.toString()).contains("InsufficientFunds").doesNotContain("StepRetryScheduled");
        assertEquals(events, processManager.log(instance.processId()));
        assertThat(paymentService.unwound).contains("fx-" + account.getAccountId());
        assertThat(limitRepository.findByAccountId(account.getAccountId()))
                .allMatch(limit -> limit.limitBookedAmount() == 0);
        assertEquals(
                0,
                Money.of(50, "USD")
                        .amount()
                        .compareTo(accountRepository
                                .findById(account.getAccountId())
                                .orElseThrow()
                                .getAvailableBalance()
                                .amount()));
    }

    @Test
    void section_5_5_a_transient_error_is_tried_again() {
        Account account = createAccountWithBalance(1000);
        paymentService.failingConnections.set(1);

        ProcessInstance instance = ended(pay(account, "one-more-time", true));

        assertEquals(ProcessStatus.SUCCEEDED, instance.status());
        // After BookLimits and BookFx reply
        assertThat(instance.data())
                .containsEntry("fxContractId", "fx-" + account.getAccountId())
                .containsKeys("limitId", "limitBookedAmount", "exchangeRate");
        assertThat(processManager.log(instance.processId()).toString()).contains("the connection was reset");
    }

    @Test
    void section_5_6_both_ways_of_a_condition_end_the_process() {
        for (boolean limitBased : List.of(true, false)) {
            UUID processId = processManager.startProcess(
                    "CreateAccount",
                    "account-" + limitBased,
                    Map.of(
                            "customerId",
                            CUSTOMER,
                            "currencyCode",
                            "USD",
                            "accountType",
                            AccountType.CHECKING,
                            "transitNumber",
                            "001",
                            "limitBased",
                            limitBased,
                            "limits",
                            List.of(Map.of("amount", 500.0))));

            ProcessInstance instance = ended(processId);

            assertEquals(ProcessStatus.SUCCEEDED, instance.status());
            assertEquals("completed", instance.data().get("status"));
            UUID accountId = UUID.fromString((String) instance.data().get("accountId"));
            assertThat(limitRepository.findByAccountId(accountId)).hasSize(limitBased ? 1 : 0);
        }
        assertThat(accountRepository.findByCustomerId(CUSTOMER)).hasSizeGreaterThanOrEqualTo(2);
    }

    @Test
    void section_7_2_the_domain_is_tested_alone() {
        Account account = new Account(
                UUID.randomUUID(),
                CUSTOMER,
                "ACC123",
                "USD",
                AccountType.CHECKING,
                "001",
                false,
                Money.of(1000, "USD"));

        Transaction txn = account.createTransaction(TransactionType.DEBIT, Money.of(100, "USD"), "Purchase");

        assertEquals(Money.of(900, "USD"), account.getAvailableBalance());
        assertEquals(TransactionType.DEBIT, txn.transactionType());
        assertThrows(
                InsufficientFundsException.class,
                () -> account.createTransaction(TransactionType.DEBIT, Money.of(901, "USD"), "Overdraft attempt"));
        assertThrows(IllegalArgumentException.class, () -> Money.of(100, "USD").add(Money.of(50, "EUR")));
    }

    @Test
    void section_7_3_a_repository_saves_the_aggregate() {
        Account account = createAccountWithBalance(10);

        Optional<Account> retrieved = accountRepository.findById(account.getAccountId());

        assertTrue(retrieved.isPresent());
        assertEquals(account.getAccountNumber(), retrieved.get().getAccountNumber());
        assertTrue(accountRepository
                .findByAccountNumber(account.getAccountNumber())
                .isPresent());
    }

    @Test
    void section_7_4_a_payment_is_made() {
        // Setup
        Account account = createAccountWithBalance(1000);

        // Start process
        UUID processId = pay(account, "payment-123", false);
        ProcessInstance instance = ended(processId);

        // Verify
        assertEquals(ProcessStatus.SUCCEEDED, instance.status());
        assertEquals(instance, processManager.find(processId).orElseThrow());
        Account updated = accountRepository.findById(account.getAccountId()).get();
        assertEquals(
                0,
                Money.of(900, "USD")
                        .amount()
                        .compareTo(updated.getAvailableBalance().amount()));
        assertEquals(1, paymentService.findByAccountId(account.getAccountId()).size());
    }

    @Test
    void section_7_5_the_graph_is_as_it_is_meant() {
        ProcessConfiguration config = new SimplePaymentProcessDefinition();
        ProcessGraph graph = config.defineProcess();

        // Verify initial step
        assertEquals("BookLimits", graph.getInitialStep());

        // Verify next steps
        Optional<String> nextStep = graph.getNextStep("BookLimits", Map.of("requiresFx", true));
        assertTrue(nextStep.isPresent());
        assertEquals("BookFx", nextStep.get());

        // Verify compensation
        assertTrue(graph.requiresCompensation("BookLimits"));
        assertEquals("ReverseLimits", graph.getCompensationStep("BookLimits").get());
    }

    @Test
    void section_9_6_two_handlers_of_a_command_are_an_illegal_state() {
        assertThatThrownBy(() -> application(Map.of("ambiguous", true)).close())
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("Ambiguous handler registration for command type 'CreateAccount'")
                .hasMessageContaining("AccountService")
                .hasMessageContaining("AccountProcessDefinition");
        assertThatThrownBy(() -> AutoCommandHandlerRegistry.of(
                        new AccountService(accountRepository), new AccountProcessDefinition()))
                .isInstanceOf(IllegalStateException.class);
    }

    private UUID pay(Account account, String businessKey, boolean requiresFx) {
        return processManager.startProcess(
                "SimplePayment",
                businessKey,
                Map.of(
                        "debitAccountId",
                        account.getAccountId(),
                        "amount",
                        100.0,
                        "bookingId",
                        businessKey,
                        "requiresFx",
                        requiresFx));
    }

    /** The loop of section 7.4, which waits for a condition instead of sleeping. */
    private ProcessInstance ended(UUID processId) {
        return await().atMost(SOON)
                .pollInterval(Duration.ofMillis(20))
                .until(
                        () -> processRepository.findById(processId).get(),
                        instance -> instance.status().isFinished());
    }

    private Account createAccountWithBalance(double balance) {
        Account account = new Account(
                UUID.randomUUID(),
                UUID.randomUUID(),
                UUID.randomUUID().toString().substring(0, 18),
                "USD",
                AccountType.CHECKING,
                "001",
                false,
                Money.of(balance, "USD"));
        accountRepository.save(account);
        limitRepository.save(new AccountLimit(UUID.randomUUID(), account.getAccountId(), 5000, 0, null));
        return account;
    }
}
