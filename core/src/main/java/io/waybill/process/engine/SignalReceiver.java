package io.waybill.process.engine;

import io.waybill.WaybillException;
import io.waybill.process.graph.ProcessGraph;
import io.waybill.process.graph.Step;
import io.waybill.process.message.ProcessInput;
import io.waybill.process.state.ProcessState;
import io.waybill.process.state.ProcessStatus;
import io.waybill.process.state.StepEvent.SignalReceived;
import io.waybill.process.state.StepEvent.SignalTaken;
import io.waybill.process.state.StepEvent.StepCompleted;
import io.waybill.process.state.StepExecution;
import io.waybill.process.state.StepKind;
import io.waybill.process.state.StepStatus;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;

/** Notes a signal: for the step that waits for it, or for one that will. */
final class SignalReceiver {

    private final DecisionContext run;
    private final ProcessState state;

    SignalReceiver(DecisionContext run) {
        this.run = run;
        this.state = run.state;
    }

    void note(ProcessInput.Signal signal) {
        Set<String> known = known();
        if (!known.contains(signal.name())) {
            throw new WaybillException("No step of " + state.processType() + " waits for the signal '" + signal.name()
                    + "'. " + (known.isEmpty() ? "It waits for none." : "It waits for " + known + "."));
        }
        if (state.status().isFinished() || state.status() == ProcessStatus.COMPENSATING) {
            run.ignore("", "Signal " + signal.name(), "The process is " + state.status() + ".");
            return;
        }
        if (isRepeated(signal)) {
            run.ignore("", "Signal " + signal.name(), "One with the key '" + signal.key() + "' came before.");
            return;
        }
        List<StepExecution> waiting = state.executions().stream()
                .filter(step -> step.kind() == StepKind.SIGNAL && step.status() == StepStatus.RUNNING)
                .filter(step -> await(step).signal().equals(signal.name()))
                .toList();
        int number = state.nextNumber();
        if (waiting.isEmpty() || !signal.key().isEmpty()) {
            run.emit(new SignalReceived(number, signal.name(), signal.key(), signal.data()));
        }
        if (!waiting.isEmpty()) {
            if (!signal.key().isEmpty()) {
                run.emit(new SignalTaken(number, signal.name()));
            }
            StepExecution step = waiting.get(0);
            run.emit(new StepCompleted(
                    step.number(),
                    step.step(),
                    StepStarter.signalled(step.step(), await(step).branches(), signal.data())));
        }
    }

    private boolean isRepeated(ProcessInput.Signal signal) {
        UUID id = StepExecution.signalId(state.processId(), signal.name(), signal.key());
        return !signal.key().isEmpty()
                && state.executions().stream()
                        .anyMatch(step -> step.kind() == StepKind.STORED_SIGNAL && id.equals(step.commandId()));
    }

    private Step.Await await(StepExecution step) {
        return (Step.Await) run.definition.at(step.step()).step.action();
    }

    private Set<String> known() {
        ProcessGraph graph = run.definition.graph();
        return graph.getSteps().stream()
                .map(name -> graph.at(name).step.action())
                .filter(Step.Await.class::isInstance)
                .map(action -> ((Step.Await) action).signal())
                .collect(Collectors.toSet());
    }
}
