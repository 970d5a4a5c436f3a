package io.waybill.it;

import io.waybill.command.DomainCommand;
import io.waybill.process.definition.ProcessConfiguration;
import io.waybill.process.definition.ProcessGraphBuilder;
import io.waybill.process.graph.ProcessGraph;
import io.waybill.process.state.ProcessStatus;
import io.waybill.store.Transactions;
import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;

/** The processes that the developer's guide shows, by their names, with handlers that write what they did into a ledger. */
final class GuideProcesses {

    private GuideProcesses() {}

    /** A step of a plain sequence. */
    public record Step1Command(String account) implements DomainCommand {}

    /** The next one. */
    public record Step2Command(String account) implements DomainCommand {}

    /** The last one. */
    public record Step3Command(String account) implements DomainCommand {}

    /** Begins a payment. */
    public record InitiateCommand(String account) implements DomainCommand {}

    /** Books limits. */
    public record BookLimitsCommand(String account, BigDecimal amount) implements DomainCommand {}

    /** Undoes that, by the booking. */
    public record ReverseLimitsCommand(String account, String limitId) implements DomainCommand {}

    /** Books foreign exchange. */
    public record BookFxCommand(String account, BigDecimal amount) implements DomainCommand {}

    /** Undoes that, by the contract. */
    public record UnwindFxCommand(String account, String fxContractId) implements DomainCommand {}

    /** Moves the money. */
    public record CreateTransactionCommand(String account, BigDecimal amount) implements DomainCommand {}

    /** Moves it back. */
    public record ReverseTransactionCommand(String account) implements DomainCommand {}

    /** Looks whether the receiver may have it. */
    public record ValidateBeneficiaryCommand(String account) implements DomainCommand {}

    /** The payment itself, which knows what the steps before it answered. */
    public record CreatePaymentCommand(String account, String limitId) implements DomainCommand {}

    /** Looks at a request. */
    public record ValidateCommand(String account, boolean valid) implements DomainCommand {}

    /** Does it. */
    public record ProcessCommand(String account) implements DomainCommand {}

    /** Does not. */
    public record RejectCommand(String account) implements DomainCommand {}

    /** Where both ways meet. */
    public record CompleteCommand(String account) implements DomainCommand {}

    /** Opens an account. */
    public record CreateAccountCommand(String account) implements DomainCommand {}

    /** Gives it limits. */
    public record CreateLimitsCommand(String account) implements DomainCommand {}

    /** Does nothing: where both ways meet. */
    public record CompleteAccountCreationCommand(String account) implements DomainCommand {}

    /** A definition as the guide writes it, with its rules for trying again, at a pace for tests. */
    record Definition(String name, Function<ProcessGraphBuilder, ProcessGraph> graph) implements ProcessConfiguration {

        @Override
        public String getProcessType() {
            return name;
        }

        @Override
        public ProcessGraph defineProcess() {
            return graph.apply(process());
        }

        @Override
        public boolean isRetryable(String step, String error) {
            return !error.contains("InsufficientFunds") && (error.contains("timeout") || error.contains("temporary"));
        }

        @Override
        public long getRetryDelay(String step, int attempt) {
            return 100L * (1L << attempt);
        }
    }

    @SuppressWarnings("NullAway")
    static ProcessConfiguration[] definitions() {
        return new ProcessConfiguration[] {
            new Definition(
                    "Sequence",
                    process -> process.startWith(Step1Command.class)
                            .then(Step2Command.class)
                            .then(Step3Command.class)
                            .end()),
            new Definition(
                    "OptionalBranch",
                    process -> process.startWith(BookLimitsCommand.class)
                            .thenIf(data -> (Boolean) data.get("requiresFx"))
                            .whenTrue(BookFxCommand.class)
                            .then(CreateTransactionCommand.class)
                            .end()),
            new Definition(
                    "IfElse",
                    process -> process.startWith(ValidateCommand.class)
                            .thenIf(data -> data.get("valid").equals(true))
                            .whenTrue(ProcessCommand.class)
                            .then(CompleteCommand.class)
                            .whenFalse(RejectCommand.class)
                            .then(CompleteCommand.class)
                            .end()),
            new Definition(
                    "Parallel",
                    process -> process.startWith(InitiateCommand.class)
                            .thenParallel()
                            .branch(BookFxCommand.class)
                            .branch(BookLimitsCommand.class)
                            .branch(ValidateBeneficiaryCommand.class)
                            .joinAt(CreatePaymentCommand.class)
                            .end()),
            new Definition(
                    "Saga",
                    process -> process.startWith(BookLimitsCommand.class)
                            .withCompensation(ReverseLimitsCommand.class)
                            .then(BookFxCommand.class)
                            .withCompensation(UnwindFxCommand.class)
                            .then(CreateTransactionCommand.class)
                            .withCompensation(ReverseTransactionCommand.class)
                            .then(CreatePaymentCommand.class)
                            .end()),
            new Definition(
                    "SimplePayment",
                    process -> process.startWith(BookLimitsCommand.class)
                            .withCompensation(ReverseLimitsCommand.class)
                            .thenIf(data -> (Boolean) data.get("requiresFx"))
                            .whenTrue(BookFxCommand.class)
                            .withCompensation(UnwindFxCommand.class)
                            .then(CreateTransactionCommand.class)
                            .withCompensation(ReverseTransactionCommand.class)
                            .then(CreatePaymentCommand.class)
                            .end()),
            new Definition(
                    "CreateAccount",
                    process -> process.startWith(CreateAccountCommand.class)
                            .thenIf(data -> (Boolean) data.get("limitBased"))
                            .whenTrue(CreateLimitsCommand.class)
                            .then(CompleteAccountCreationCommand.class)
                            .end())
        };
    }

    /**
     * What is started, and what must come of it.
     *
     * @param account what it is about; what its handlers do to it depends on how it begins
     * @param effects in this order; a star stands for what branches do at once
     */
    record Example(String type, String account, Map<String, Object> data, ProcessStatus end, List<String> effects) {}

    static List<Example> examples() {
        ProcessStatus done = ProcessStatus.SUCCEEDED;
        return List.of(
                new Example("Sequence", "a1", Map.of(), done, List.of("Step1", "Step2", "Step3")),
                new Example(
                        "OptionalBranch",
                        "a2",
                        Map.of("requiresFx", true),
                        done,
                        List.of("BookLimits", "BookFx", "CreateTransaction")),
                new Example(
                        "OptionalBranch",
                        "a3",
                        Map.of("requiresFx", false),
                        done,
                        List.of("BookLimits", "CreateTransaction")),
                new Example("IfElse", "a4", Map.of("valid", true), done, List.of("Validate", "Process", "Complete")),
                new Example("IfElse", "a5", Map.of("valid", false), done, List.of("Validate", "Reject", "Complete")),
                new Example(
                        "Parallel", "a6", Map.of(), done, List.of("Initiate", "*", "*", "*", "CreatePayment LIMIT-a6")),
                new Example(
                        "Saga",
                        "a7",
                        Map.of(),
                        done,
                        List.of("BookLimits", "BookFx", "CreateTransaction", "CreatePayment LIMIT-a7")),
                new Example(
                        "Saga",
                        "poor8",
                        Map.of(),
                        ProcessStatus.COMPENSATED,
                        List.of("BookLimits", "BookFx", "UnwindFx FX-poor8", "ReverseLimits LIMIT-poor8")),
                new Example(
                        "SimplePayment",
                        "shaky9",
                        Map.of("requiresFx", true),
                        done,
                        List.of("BookLimits", "BookFx", "CreateTransaction", "CreatePayment LIMIT-shaky9")),
                new Example(
                        "SimplePayment",
                        "poor10",
                        Map.of("requiresFx", false),
                        ProcessStatus.COMPENSATED,
                        List.of("BookLimits", "ReverseLimits LIMIT-poor10")),
                new Example(
                        "CreateAccount",
                        "a11",
                        Map.of("limitBased", true),
                        done,
                        List.of("CreateAccount", "CreateLimits")),
                new Example("CreateAccount", "a12", Map.of("limitBased", false), done, List.of("CreateAccount")));
    }

    /** The handlers: accounts that begin with "poor" have no money, those with "shaky" a database that is away at first. */
    public static final class Bank {

        private final Transactions transactions;
        private final Set<String> shaken = ConcurrentHashMap.newKeySet();

        Bank(Transactions transactions) {
            this.transactions = transactions;
        }

        public void step1(Step1Command command) {
            write(command.account(), "Step1");
        }

        public void step2(Step2Command command) {
            write(command.account(), "Step2");
        }

        public void step3(Step3Command command) {
            write(command.account(), "Step3");
        }

        public void initiate(InitiateCommand command) {
            write(command.account(), "Initiate");
        }

        public Map<String, Object> bookLimits(BookLimitsCommand command) {
            write(command.account(), "BookLimits");
            return Map.of("limitId", "LIMIT-" + command.account(), "limitBookedAmount", command.amount());
        }

        public void reverseLimits(ReverseLimitsCommand command) {
            write(command.account(), "ReverseLimits " + command.limitId());
        }

        public Map<String, Object> bookFx(BookFxCommand command) {
            write(command.account(), "BookFx");
            return Map.of("fxContractId", "FX-" + command.account(), "exchangeRate", new BigDecimal("1.25"));
        }

        public void unwindFx(UnwindFxCommand command) {
            write(command.account(), "UnwindFx " + command.fxContractId());
        }

        public void createTransaction(CreateTransactionCommand command) {
            write(command.account(), "CreateTransaction");
            if (command.account().startsWith("poor")) {
                throw new IllegalStateException("InsufficientFunds: temporary or not");
            }
            if (command.account().startsWith("shaky") && shaken.add(command.account())) {
                throw new IllegalStateException("connection timeout");
            }
        }

        public void reverseTransaction(ReverseTransactionCommand command) {
            write(command.account(), "ReverseTransaction");
        }

        public void validateBeneficiary(ValidateBeneficiaryCommand command) {
            write(command.account(), "ValidateBeneficiary");
        }

        public void createPayment(CreatePaymentCommand command) {
            write(command.account(), "CreatePayment " + command.limitId());
        }

        public void validate(ValidateCommand command) {
            write(command.account(), "Validate");
        }

        public void process(ProcessCommand command) {
            write(command.account(), "Process");
        }

        public void reject(RejectCommand command) {
            write(command.account(), "Reject");
        }

        public void complete(CompleteCommand command) {
            write(command.account(), "Complete");
        }

        public void createAccount(CreateAccountCommand command) {
            write(command.account(), "CreateAccount");
        }

        public void createLimits(CreateLimitsCommand command) {
            write(command.account(), "CreateLimits");
        }

        public Map<String, Object> completeAccountCreation(CompleteAccountCreationCommand command) {
            return Map.of("status", "completed");
        }

        private void write(String account, String what) {
            try (var insert = transactions
                    .current()
                    .unwrap(Connection.class)
                    .prepareStatement("INSERT INTO bank (account, what) VALUES (?, ?)")) {
                insert.setString(1, account);
                insert.setString(2, what);
                insert.executeUpdate();
            } catch (SQLException e) {
                throw new IllegalStateException(e);
            }
        }
    }
}
