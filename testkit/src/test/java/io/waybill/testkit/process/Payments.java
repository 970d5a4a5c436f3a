package io.waybill.testkit.process;

import io.waybill.command.DomainCommand;
import io.waybill.process.definition.ProcessConfiguration;
import io.waybill.process.definition.ProcessGraphBuilder;
import io.waybill.process.graph.ProcessGraph;
import java.math.BigDecimal;
import java.util.Map;
import java.util.function.Function;

/** The processes that the tests run. */
public final class Payments {

    private Payments() {}

    public record BookLimitsCommand(BigDecimal amount) implements DomainCommand {}

    public record ReverseLimitsCommand(String limitId) implements DomainCommand {}

    public record BookFxCommand(BigDecimal amount) implements DomainCommand {}

    public record UnwindFxCommand(String fxId) implements DomainCommand {}

    public record CreateTransactionCommand(String limitId) implements DomainCommand {}

    public record ReverseTransactionCommand(String transactionId) implements DomainCommand {}

    public record CreatePaymentCommand(String transactionId) implements DomainCommand {}

    public record NotifyCommand() implements DomainCommand {}

    public record ReserveCommand(String sku, int itemIndex) implements DomainCommand {}

    public record ReleaseCommand(String sku) implements DomainCommand {}

    public static class SimplePayment implements ProcessConfiguration {

        @Override
        public String getProcessType() {
            return "SimplePayment";
        }

        @Override
        public ProcessGraph defineProcess() {
            return process()
                    .startWith(BookLimitsCommand.class)
                    .withCompensation(ReverseLimitsCommand.class)
                    .thenIf(data -> (Boolean) data.get("requiresFx"))
                    .whenTrue(BookFxCommand.class)
                    .withCompensation(UnwindFxCommand.class)
                    .then(CreateTransactionCommand.class)
                    .withCompensation(ReverseTransactionCommand.class, undo -> undo.maxRetries(2))
                    .then(CreatePaymentCommand.class)
                    .end();
        }

        @Override
        public boolean isRetryable(String step, String error) {
            return error.contains("timeout") || error.contains("temporary");
        }
    }

    public static final Handlers HANDLERS = Handlers.none()
            .on(BookLimitsCommand.class, command -> Map.of("limitId", "limit-" + command.amount()))
            .on(BookFxCommand.class, command -> Map.of("fxId", "fx-1", "rate", new BigDecimal("1.25")))
            .on(CreateTransactionCommand.class, command -> Map.of("transactionId", "t-" + command.limitId()));

    /** A definition in one line. */
    public static ProcessConfiguration process(String type, Function<ProcessGraphBuilder, ProcessGraph> definition) {
        return new ProcessConfiguration() {
            @Override
            public String getProcessType() {
                return type;
            }

            @Override
            public ProcessGraph defineProcess() {
                return definition.apply(process());
            }

            @Override
            public boolean isRetryable(String step, String error) {
                return error.contains("timeout") || error.contains("temporary");
            }
        };
    }
}
