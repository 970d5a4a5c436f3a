package io.waybill.process.engine;

import io.waybill.command.CommandReply;
import io.waybill.process.definition.ProcessDefinition;
import io.waybill.process.graph.GraphNode;
import io.waybill.process.graph.ProcessData;
import io.waybill.process.message.Decision;
import io.waybill.process.message.ProcessInput;
import io.waybill.process.state.ProcessEvent.OperatorAsked;
import io.waybill.process.state.ProcessEvent.ProcessStarted;
import io.waybill.process.state.ProcessParent;
import io.waybill.process.state.ProcessState;
import io.waybill.process.state.ProcessStatus;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.BiPredicate;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Notes what has happened, and then goes on from the state that this has led to. */
class PureEngine implements ProcessEngine {

    private final CommandBuilder commands;
    private final BiPredicate<GraphNode.Choice, ProcessData> choices;

    PureEngine(CommandBuilder commands, BiPredicate<GraphNode.Choice, ProcessData> choices) {
        this.commands = commands;
        this.choices = choices;
    }

    @Override
    public Decision start(
            ProcessDefinition definition,
            UUID processId,
            String businessKey,
            Map<String, Object> data,
            @Nullable ProcessParent parent,
            Map<String, String> trace,
            Instant at) {
        Instant now = at.truncatedTo(ChronoUnit.MICROS);
        Instant deadline = definition.timeout().map(now::plus).orElse(null);
        var started =
                new ProcessStarted(definition.type(), definition.version(), businessKey, data, deadline, parent, trace);
        ProcessState state = ProcessState.begun(processId, started, now);
        var run = new DecisionContext(definition, state, now, commands, choices, PureEngine::unasked);
        run.emit(started);
        advance(run);
        replyToParent(run, ProcessState.begun(processId, started, now));
        return new Decision(Optional.empty(), state, run.events, run.commands, run.messages, run.ended);
    }

    @Override
    public Decision decide(
            ProcessDefinition definition,
            ProcessState before,
            ProcessInput input,
            Instant now,
            Function<UUID, CommandReply> known) {
        ProcessState state = before.copy();
        var run = new DecisionContext(definition, state, now, commands, choices, known);
        note(run, input);
        advance(run);
        replyToParent(run, before);
        return new Decision(Optional.of(before), state, run.events, run.commands, run.messages, run.ended);
    }

    private static CommandReply unasked(UUID commandId) {
        throw new IllegalStateException("A process that begins gives no command up, and not " + commandId + ".");
    }

    private static void note(DecisionContext run, ProcessInput input) {
        if (input instanceof ProcessInput.Reply reply) {
            new Replies(run).note(reply.attempt(), reply.reply());
        } else if (input instanceof ProcessInput.Due) {
            new Timers(run).note();
        } else if (input instanceof ProcessInput.Signal signal) {
            new SignalReceiver(run).note(signal);
        } else if (input instanceof ProcessInput.Asked asked) {
            run.emit(asked.request().event(""));
            note(run, asked.request().input());
        } else if (input instanceof ProcessInput.StartedByOperator start) {
            run.emit(new OperatorAsked(start.requestId(), "start", start.by(), start.reason(), ""));
        } else if (input instanceof ProcessInput.Refused refused) {
            run.emit(refused.request().event(refused.why()));
        } else {
            new OperatorRequests(run).note(input);
        }
    }

    /** What can be begun now, judged by the state alone: so it makes no difference when and why it was not begun before. */
    private void advance(DecisionContext run) {
        if (run.state.status() == ProcessStatus.NEW || run.state.status() == ProcessStatus.RUNNING) {
            new StepAdvancer(run).advance();
        }
        if (run.state.status() == ProcessStatus.COMPENSATING) {
            compensator(run).advance();
        }
    }

    /** A seam for the test that compensates in the wrong order. */
    Compensator compensator(DecisionContext run) {
        return new Compensator(run);
    }

    private static void replyToParent(DecisionContext run, ProcessState before) {
        ProcessParent parent = run.state.parent();
        boolean justEnded = run.state.status().isFinished()
                && (before.status() != run.state.status() || (before.isBlocked() && !run.state.isBlocked()));
        if (parent != null && justEnded && !run.state.isBlocked()) {
            run.messages.add(ChildReplies.message(run.state, parent));
        }
    }
}
