package io.waybill.process.definition;

import static org.assertj.core.api.Assertions.assertThat;

import io.waybill.process.definition.GuideCommands.*;
import io.waybill.process.graph.ProcessGraph;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The definitions of the guide (2.3, 5.2, 5.6 and 7.5), by their names. */
class GuideGraphsTest {

    static ProcessGraphBuilder process() {
        return new ProcessGraphBuilder();
    }

    static class SimplePaymentProcessDefinition implements ProcessConfiguration {

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
                    .withCompensation(ReverseTransactionCommand.class)
                    .then(CreatePaymentCommand.class)
                    .end();
        }
    }

    @Test
    void a_simple_payment_goes_through_its_steps() {
        ProcessConfiguration config = new SimplePaymentProcessDefinition();
        ProcessGraph graph = config.defineProcess();

        assertThat(graph.getInitialStep()).isEqualTo("BookLimits");
        assertThat(graph.getNextStep("BookLimits", Map.of("requiresFx", true))).contains("BookFx");
        assertThat(graph.getNextStep("BookLimits", Map.of("requiresFx", false))).contains("CreateTransaction");
        assertThat(graph.getNextStep("BookFx", Map.of())).contains("CreateTransaction");
        assertThat(graph.getNextStep("CreateTransaction", Map.of())).contains("CreatePayment");
        assertThat(graph.getNextStep("CreatePayment", Map.of())).isEmpty();
        assertThat(graph.requiresCompensation("BookLimits")).isTrue();
        assertThat(graph.getCompensationStep("BookLimits")).contains("ReverseLimits");
        assertThat(graph.requiresCompensation("CreatePayment")).isFalse();
        assertThat(graph.getCompensationStep("CreatePayment")).isEmpty();
        assertThat(graph.getCommandTypes())
                .contains("BookLimits", "ReverseLimits", "UnwindFx", "ReverseTransaction", "CreatePayment");
    }

    @Test
    void steps_follow_each_other() {
        ProcessGraph graph = process()
                .startWith(Step1Command.class)
                .then(Step2Command.class)
                .then(Step3Command.class)
                .end();

        assertThat(graph.getSteps()).containsExactly("Step1", "Step2", "Step3");
        assertThat(graph.getNextStep("Step1", Map.of())).contains("Step2");
        assertThat(graph.getNextStep("Step3", Map.of())).isEmpty();
    }

    @Test
    void a_then_without_a_whenFalse_is_what_follows_either_way() {
        ProcessGraph graph = process()
                .startWith(BookLimitsCommand.class)
                .thenIf(data -> (Boolean) data.get("requiresFx"))
                .whenTrue(BookFxCommand.class)
                .then(CreateTransactionCommand.class)
                .end();

        assertThat(graph.getNextStep("BookLimits", Map.of("requiresFx", false))).contains("CreateTransaction");
        assertThat(graph.getNextStep("BookFx", Map.of())).contains("CreateTransaction");
    }

    @Test
    @SuppressWarnings("NullAway")
    void a_then_before_a_whenFalse_belongs_to_the_branch_and_equal_steps_meet() {
        ProcessGraph graph = process()
                .startWith(ValidateCommand.class)
                .thenIf(data -> data.get("valid").equals(true))
                .whenTrue(ProcessCommand.class)
                .then(CompleteCommand.class)
                .whenFalse(RejectCommand.class)
                .then(CompleteCommand.class)
                .end();

        assertThat(graph.getNextStep("Validate", Map.of("valid", true))).contains("Process");
        assertThat(graph.getNextStep("Validate", Map.of("valid", false))).contains("Reject");
        assertThat(graph.getNextStep("Process", Map.of())).contains("Complete");
        assertThat(graph.getNextStep("Reject", Map.of())).contains("Complete");
        assertThat(graph.getNextStep("Complete", Map.of())).isEmpty();
    }

    @Test
    void branches_run_at_once_and_meet() {
        ProcessGraph graph = process()
                .startWith(InitiateCommand.class)
                .thenParallel()
                .branch(BookFxCommand.class)
                .branch(BookLimitsCommand.class)
                .branch(ValidateBeneficiaryCommand.class)
                .joinAt(CreatePaymentCommand.class)
                .end();

        assertThat(graph.getNextStep("Initiate", Map.of())).contains("BookFx");
        assertThat(graph.getNextSteps("Initiate", Map.of()))
                .containsExactly("BookFx", "BookLimits", "ValidateBeneficiary");
        assertThat(graph.getNextStep("BookLimits", Map.of())).contains("CreatePayment");
        assertThat(graph.getNextStep("CreatePayment", Map.of())).isEmpty();
    }

    @Test
    void steps_are_undone_by_their_compensations() {
        ProcessGraph graph = process()
                .startWith(BookLimitsCommand.class)
                .withCompensation(ReverseLimitsCommand.class)
                .then(BookFxCommand.class)
                .withCompensation(UnwindFxCommand.class)
                .then(CreateTransactionCommand.class)
                .withCompensation(ReverseTransactionCommand.class)
                .then(CreatePaymentCommand.class)
                .end();

        assertThat(graph.getCompensationStep("BookFx")).contains("UnwindFx");
        assertThat(graph.getCompensationStep("CreateTransaction")).contains("ReverseTransaction");
    }

    @Test
    void a_step_that_does_nothing_may_end_a_branching() {
        ProcessGraph graph = process()
                .startWith(CreateAccountCommand.class)
                .thenIf(data -> (Boolean) data.get("limitBased"))
                .whenTrue(CreateLimitsCommand.class)
                .then(CompleteAccountCreationCommand.class)
                .end();

        assertThat(graph.getNextStep("CreateAccount", Map.of("limitBased", false)))
                .contains("CompleteAccountCreation");
        assertThat(graph.getNextStep("CompleteAccountCreation", Map.of())).isEmpty();
    }
}
