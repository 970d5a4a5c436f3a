package io.waybill.process.engine;

import io.waybill.WaybillException;
import io.waybill.process.graph.Step;
import io.waybill.process.message.ProcessMessage;
import io.waybill.process.state.ProcessParent;
import io.waybill.process.state.ProcessState;
import io.waybill.process.state.StateView;
import io.waybill.process.state.StepEvent.SignalTaken;
import io.waybill.process.state.StepEvent.StepCompleted;
import io.waybill.process.state.StepEvent.StepFailed;
import io.waybill.process.state.StepEvent.StepStarted;
import io.waybill.process.state.StepExecution;
import io.waybill.process.state.StepKind;
import io.waybill.process.state.StepStatus;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Begins one step. What goes wrong in the definition's own code fails the step. */
final class StepStarter {

    /** What a reply costs grows with the number of elements, and there are as many replies. */
    static final int MAX_ELEMENTS = 1_000;

    private final DecisionContext run;
    private final ProcessState state;

    StepStarter(DecisionContext run) {
        this.run = run;
        this.state = run.state;
    }

    void start(Step step, int scope) {
        int number = state.nextNumber();
        try {
            if (step.action() instanceof Step.Send send) {
                started(step, number, scope, 0, run.after(step.timeout()));
                send(number, send, scope);
            } else if (step.action() instanceof Step.Delay delay) {
                Duration length = delay.length().apply(state.dataIn(scope));
                started(step, number, scope, 0, run.after(length));
            } else if (step.action() instanceof Step.Await await) {
                started(step, number, scope, 0, run.after(step.timeout()));
                takeStored(number, step.name(), await);
            } else if (step.action() instanceof Step.Child child) {
                started(step, number, scope, 0, run.after(step.timeout()));
                startChild(number, child, scope);
            } else {
                checkLength((Step.ForEach) step.action(), scope);
                started(step, number, scope, 0, null);
            }
        } catch (RuntimeException e) {
            if (state.nextNumber() == number) {
                started(step, number, scope, 0, null);
            }
            failed(number, step.name(), e.toString());
        }
    }

    private void checkLength(Step.ForEach forEach, int scope) {
        int length = state.dataIn(scope).list(forEach.list()).size();
        if (length > MAX_ELEMENTS) {
            throw new WaybillException("'" + forEach.list() + "' has " + length + " elements, and a step for each takes"
                    + " at most " + MAX_ELEMENTS
                    + ": every reply has to check all of them. Divide the list, and start a process for each part.");
        }
    }

    /** The command for one element of a list. */
    void startElement(Step loop, StepExecution branch) {
        int number = state.nextNumber();
        Instant due = run.after(loop.timeout());
        run.emit(new StepStarted(
                number,
                branch.number(),
                StepKind.COMMAND,
                loop.name(),
                branch.position() + 1,
                run.commandId(number),
                due,
                Map.of()));
        send(number, ((Step.ForEach) loop.action()).each(), branch.number());
    }

    /** What a step that is tried again sends: the same command, built from what it saw. */
    void resend(StepExecution execution) {
        Step.Action action = run.definition.at(execution.step()).step.action();
        Step.Send send = action instanceof Step.ForEach forEach ? forEach.each() : (Step.Send) action;
        run.send(execution, send, new StateView(state).dataSeenBy(execution), false)
                .ifPresent(error -> failed(execution.number(), execution.step(), error));
    }

    /** A signal is what the step replies. */
    static Map<String, Object> signalled(String step, boolean branches, Map<String, Object> data) {
        if (!branches) {
            return data;
        }
        var reply = new LinkedHashMap<>(data);
        reply.put(Step.Await.timedOut(step), false);
        return reply;
    }

    private void started(Step step, int number, int scope, int position, @Nullable Instant due) {
        StepKind kind = StepKind.of(step.action());
        UUID commandId = kind == StepKind.COMMAND || kind == StepKind.CHILD ? run.commandId(number) : null;
        run.emit(new StepStarted(number, scope, kind, step.name(), position, commandId, due, Map.of()));
    }

    private void send(int number, Step.Send send, int scope) {
        StepExecution execution = state.execution(number);
        run.send(execution, send, state.dataIn(scope), false)
                .ifPresent(error -> failed(number, execution.step(), error));
    }

    private void takeStored(int number, String step, Step.Await await) {
        state.executions().stream()
                .filter(stored -> stored.kind() == StepKind.STORED_SIGNAL
                        && stored.status() == StepStatus.RUNNING
                        && stored.step().equals(await.signal()))
                .findFirst()
                .ifPresent(stored -> {
                    run.emit(new SignalTaken(stored.number(), await.signal()));
                    run.emit(new StepCompleted(number, step, signalled(step, await.branches(), stored.input())));
                });
    }

    private void startChild(int number, Step.Child child, int scope) {
        UUID childId = run.commandId(number);
        Map<String, Object> data = child.data().apply(state.dataIn(scope));
        run.messages.add(new ProcessMessage.StartChild(
                childId, child.type(), new ProcessParent(state.processId(), childId, null), data));
    }

    private void failed(int number, String step, String error) {
        run.emit(new StepFailed(number, step, state.execution(number).attempt(), error, null, false));
    }
}
