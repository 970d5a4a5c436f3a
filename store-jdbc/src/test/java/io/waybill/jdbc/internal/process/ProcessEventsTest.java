package io.waybill.jdbc.internal.process;

import static org.assertj.core.api.Assertions.assertThat;

import io.waybill.process.state.ProcessParent;
import java.lang.reflect.RecordComponent;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What is stored in the log of processes: whoever renames a class or a component here cannot read what was written before. */
class ProcessEventsTest {

    @Test
    void types_and_members_of_stored_events_keep_their_names() {
        assertThat(ProcessEvents.types()
                        .map(type -> type.getSimpleName() + members(type))
                        .sorted())
                .containsExactlyElementsOf("""
                BranchChosen choice chosen
                CompensationRequested parent
                CompensationSkipped number step resolved reason
                CompensationStarted reason
                CompensationStepCompleted number step compensation
                CompensationStepFailed number step compensation attempt error retryAt
                CompensationStepStarted number step compensation commandId attempt dueAt
                OperatorAsked requestId what by reason refusal
                ProcessCancelled reason inDoubt
                ProcessCompensated message
                ProcessCompleted message
                ProcessFailed reason
                ProcessPaused reason
                ProcessResumed reason
                ProcessStarted processType version businessKey data deadline parent trace
                ReplyHeld step what commandId
                ReplyIgnored step what why
                RetryRequested number step reason
                SignalReceived number step key data
                SignalTaken number step
                StepCompleted number step data
                StepFailed number step attempt error retryAt inDoubt
                StepRefusalSent number step commandId attempt
                StepRefused number step
                StepRetried number step attempt dueAt
                StepStarted number parent kind step position commandId dueAt input
                ValuesDiffered name branches kept
                """.lines().toList());
        assertThat(members(ProcessParent.class)).isEqualTo(" processId commandId compensationCommandId");
    }

    private static String members(Class<?> type) {
        return Stream.of(type.getRecordComponents())
                .map(RecordComponent::getName)
                .map(name -> " " + name)
                .collect(Collectors.joining());
    }
}
