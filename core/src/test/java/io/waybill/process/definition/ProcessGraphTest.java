package io.waybill.process.definition;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.waybill.WaybillException;
import io.waybill.process.definition.GuideCommands.*;
import io.waybill.process.graph.ProcessGraph;
import io.waybill.process.graph.RetryPolicy;
import io.waybill.process.graph.Step;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class ProcessGraphTest {

    private static ProcessFlow start() {
        return new ProcessGraphBuilder().startWith(InitiateCommand.class);
    }

    @Test
    void a_longer_false_branch_ends_where_the_true_branch_is_named_again() {
        ProcessGraph graph = start().thenIf(data -> data.flag("valid"))
                .whenTrue(ProcessCommand.class)
                .then(CompleteCommand.class)
                .whenFalse(RejectCommand.class)
                .then(NotifyCommand.class)
                .then(CompleteCommand.class)
                .end();

        assertThat(graph.getNextStep("Process", Map.of())).contains("Complete");
        assertThat(graph.getNextStep("Reject", Map.of())).contains("Notify");
        assertThat(graph.getNextStep("Notify", Map.of())).contains("Complete");
    }

    @Test
    void a_type_that_no_destination_can_contain_is_refused() {
        for (String type : List.of("", "Pay*", "x".repeat(201))) {
            var process = new ProcessConfiguration() {
                @Override
                public String getProcessType() {
                    return type;
                }

                @Override
                public ProcessGraph defineProcess() {
                    return process().startWith(InitiateCommand.class).end();
                }
            };
            assertThatThrownBy(() -> ProcessDefinitions.of(process))
                    .isInstanceOf(WaybillException.class)
                    .hasMessageContaining("The type of a process has 1 to 200 characters");
        }
    }

    @Test
    void what_follows_a_whenFalse_follows_both_branches() {
        ProcessGraph graph = start().thenIf(data -> data.flag("valid"))
                .whenTrue(ProcessCommand.class)
                .whenFalse(RejectCommand.class)
                .then(NotifyCommand.class)
                .end();

        assertThat(graph.getNextStep("Process", Map.of())).contains("Notify");
        assertThat(graph.getNextStep("Reject", Map.of())).contains("Notify");
    }

    @Test
    void endIf_keeps_a_longer_branch_together() {
        ProcessGraph graph = start().thenIf(data -> data.flag("fx"))
                .whenTrue(BookFxCommand.class)
                .then(NotifyCommand.class)
                .endIf()
                .then(CompleteCommand.class)
                .end();

        assertThat(graph.getNextStep("Initiate", Map.of("fx", false))).contains("Complete");
        assertThat(graph.getNextStep("BookFx", Map.of())).contains("Notify");
        assertThat(graph.getNextStep("Notify", Map.of())).contains("Complete");
    }

    @Test
    void optional_steps_may_follow_each_other_and_nest() {
        ProcessGraph one_after_the_other = start().thenIf(data -> data.flag("a"))
                .whenTrue(Step1Command.class)
                .thenIf(data -> data.flag("b"))
                .whenTrue(Step2Command.class)
                .then(Step3Command.class)
                .end();
        assertThat(one_after_the_other.getNextStep("Initiate", Map.of("b", true)))
                .contains("Step2");
        assertThat(one_after_the_other.getNextStep("Initiate", Map.of())).contains("Step3");

        ProcessGraph nested = start().thenIf(data -> data.flag("a"))
                .whenTrue(Step1Command.class)
                .thenIf(data -> data.flag("b"))
                .whenTrue(Step2Command.class)
                .endIf()
                .endIf()
                .then(Step3Command.class)
                .end();
        assertThat(nested.getNextStep("Initiate", Map.of("b", true))).contains("Step3");
        assertThat(nested.getNextStep("Step1", Map.of("b", true))).contains("Step2");
    }

    @Test
    void branches_may_be_long_and_have_choices_and_branches_of_their_own() {
        ProcessGraph graph = start().thenParallel()
                .branch(Step1Command.class)
                .thenIf(data -> data.flag("fx"))
                .whenTrue(BookFxCommand.class)
                .branch(Step2Command.class)
                .thenParallel()
                .branch(BookLimitsCommand.class)
                .branch(ValidateCommand.class)
                .joinAt(Step3Command.class)
                .joinAt(CompleteCommand.class)
                .end();

        assertThat(graph.getNextSteps("Initiate", Map.of())).containsExactly("Step1", "Step2");
        assertThat(graph.getNextStep("Step1", Map.of("fx", true))).contains("BookFx");
        assertThat(graph.getNextStep("Step1", Map.of())).contains("Complete");
        assertThat(graph.getNextSteps("Step2", Map.of())).containsExactly("BookLimits", "Validate");
        assertThat(graph.getNextStep("Validate", Map.of())).contains("Step3");
        assertThat(graph.getNextStep("Step3", Map.of())).contains("Complete");
    }

    @Test
    void a_command_may_be_sent_twice_under_two_names() {
        ProcessGraph graph = start().then(NotifyCommand.class)
                .then(BookFxCommand.class)
                .then(NotifyCommand.class)
                .named("NotifyAgain")
                .end();

        assertThat(graph.getNextStep("BookFx", Map.of())).contains("NotifyAgain");
    }

    @Test
    void a_step_written_twice_in_a_row_of_steps_is_refused_with_both_paths() {
        assertThatThrownBy(() -> start().then(NotifyCommand.class)
                        .then(BookFxCommand.class)
                        .then(NotifyCommand.class)
                        .end())
                .isInstanceOf(WaybillException.class)
                .hasMessageContaining("Initiate -> Notify, and Initiate -> Notify -> BookFx -> Notify")
                .hasMessageContaining(".named(\"NotifyAgain\")");
    }

    @Test
    void branches_that_share_a_step_are_refused_because_the_join_could_not_complete() {
        assertThatThrownBy(() -> start().thenParallel()
                        .branch(BookFxCommand.class)
                        .then(NotifyCommand.class)
                        .branch(BookLimitsCommand.class)
                        .then(NotifyCommand.class)
                        .joinAt(CompleteCommand.class)
                        .end())
                .hasMessageContaining("parallel BookFx (branch 1) -> BookFx -> Notify")
                .hasMessageContaining("parallel BookFx (branch 2) -> BookLimits -> Notify")
                .hasMessageContaining("the join would wait for it forever");
    }

    @Test
    void branches_without_an_end_are_refused() {
        assertThatThrownBy(() -> start().thenParallel()
                        .branch(BookFxCommand.class)
                        .branch(BookLimitsCommand.class)
                        .end())
                .hasMessageContaining("Initiate -> parallel -> BookLimits have no end")
                .hasMessageContaining("joinAt");
    }

    @Test
    void steps_that_could_not_be_reached_are_refused() {
        assertThatThrownBy(() -> start().thenIf(data -> data.flag("valid"))
                        .whenTrue(ProcessCommand.class)
                        .then(CompleteCommand.class)
                        .then(NotifyCommand.class)
                        .whenFalse(RejectCommand.class)
                        .then(CompleteCommand.class)
                        .then(BookFxCommand.class)
                        .end())
                .hasMessageContaining("meet at Complete")
                .hasMessageContaining("one continues with Notify and the other with BookFx");
    }

    @Test
    void words_in_the_wrong_place_say_what_they_need() {
        assertThatThrownBy(() -> start().whenFalse(RejectCommand.class))
                .hasMessageContaining("whenFalse needs a thenIf(...)")
                .hasMessageContaining("the definition is at Initiate");
        assertThatThrownBy(() -> start().joinAt(RejectCommand.class)).hasMessageContaining("thenParallel()");
        assertThatThrownBy(() -> start().branch(RejectCommand.class)).hasMessageContaining("thenParallel()");
        assertThatThrownBy(() -> start().endIf()).hasMessageContaining("endIf needs");
        assertThatThrownBy(
                        () -> start().thenParallel().branch(BookFxCommand.class).joinAt(CompleteCommand.class))
                .hasMessageContaining("only one branch");
        assertThatThrownBy(() -> start().onTimeout(RejectCommand.class)).hasMessageContaining("thenWaitFor");
        assertThatThrownBy(() -> start().thenDelay("Pause", Duration.ofDays(1)).withCompensation(UnwindFxCommand.class))
                .hasMessageContaining("sends no command");
    }

    @Test
    void settings_that_contradict_each_other_are_refused() {
        assertThatThrownBy(() -> start().thenIf(data -> data.flag("valid"))
                        .whenTrue(ProcessCommand.class)
                        .then(CompleteCommand.class)
                        .withTimeout(Duration.ofSeconds(1))
                        .whenFalse(RejectCommand.class)
                        .then(CompleteCommand.class)
                        .withTimeout(Duration.ofSeconds(2))
                        .end())
                .hasMessageContaining("Complete is written twice with different settings");
    }

    @Test
    void a_step_knows_its_timeout_retries_and_compensation() {
        ProcessGraph graph = start().then(
                        CreatePaymentCommand.class, data -> new CreatePaymentCommand(data.decimal("amount")))
                .withTimeout(Duration.ofSeconds(30))
                .withRetries(RetryPolicy.upTo(5))
                .withCompensation(ReverseTransactionCommand.class, undo -> undo.maxRetries(8))
                .end();

        Step step = graph.at("CreatePayment").step;
        assertThat(step.timeout()).isEqualTo(Duration.ofSeconds(30));
        assertThat(Objects.requireNonNull(step.retries()).maxRetries()).isEqualTo(5);
        assertThat(Objects.requireNonNull(step.compensation()).retries().maxRetries())
                .isEqualTo(8);
    }

    @Test
    void a_graph_of_a_thousand_steps_is_built_and_walked() {
        ProcessFlow flow = start();
        for (int i = 1; i < 1_000; i++) {
            flow = flow.then(NotifyCommand.class).named("Notify" + i);
        }
        ProcessGraph graph = flow.end();

        assertThat(graph.getSteps()).hasSize(1_000);
        assertThat(graph.getNextStep("Notify998", Map.of())).contains("Notify999");
        assertThat(graph.toMermaid()).contains("Notify999");
    }

    @Test
    void a_graph_draws_itself() {
        assertThat(new GuideGraphsTest.SimplePaymentProcessDefinition()
                        .defineProcess()
                        .toMermaid())
                .startsWith("flowchart TD\n")
                .contains(
                        "[\"BookLimits\"]",
                        "{\"if BookFx?\"}",
                        "-->|yes|",
                        "-->|no|",
                        "-.->|compensation|",
                        "ReverseLimits");
    }
}
