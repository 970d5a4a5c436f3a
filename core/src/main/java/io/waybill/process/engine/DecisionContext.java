package io.waybill.process.engine;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.waybill.WaybillException;
import io.waybill.command.CommandReply;
import io.waybill.process.definition.ProcessDefinition;
import io.waybill.process.graph.GraphNode;
import io.waybill.process.graph.ProcessData;
import io.waybill.process.graph.Step;
import io.waybill.process.message.Decision;
import io.waybill.process.message.ProcessMessage;
import io.waybill.process.message.StepCommand;
import io.waybill.process.state.LoggedEvent;
import io.waybill.process.state.ProcessEvent;
import io.waybill.process.state.ProcessState;
import io.waybill.process.state.StepExecution;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.BiPredicate;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** One decision while it is being made: the state that changes, and what comes out of it. */
final class DecisionContext {

    /** Version 8 of RFC 9562: what the bits mean is up to its maker. */
    private static final long CUSTOM_VERSION = 0x8000;

    final ProcessDefinition definition;
    final ProcessState state;
    final Instant now;
    final List<LoggedEvent> events = new ArrayList<>();
    final List<StepCommand> commands = new ArrayList<>();
    final List<ProcessMessage> messages = new ArrayList<>();
    final List<Decision.Ended> ended = new ArrayList<>();
    private final CommandBuilder builder;
    private final BiPredicate<GraphNode.Choice, ProcessData> choices;
    private final Function<UUID, CommandReply> known;

    DecisionContext(
            ProcessDefinition definition,
            ProcessState state,
            Instant now,
            CommandBuilder builder,
            BiPredicate<GraphNode.Choice, ProcessData> choices,
            Function<UUID, CommandReply> known) {
        this.definition = definition;
        this.state = state;
        this.now = now.truncatedTo(ChronoUnit.MICROS);
        this.builder = builder;
        this.choices = choices;
        this.known = known;
    }

    void emit(ProcessEvent event) {
        Instant at = state.nextEventTime(now);
        state.apply(event, at);
        events.add(new LoggedEvent(state.events(), at, event));
    }

    void ignore(String step, String what, String why) {
        emit(new ProcessEvent.ReplyIgnored(step, what, why));
    }

    boolean choose(GraphNode.Choice choice, ProcessData data) {
        boolean chosen = choices.test(choice, data);
        emit(new ProcessEvent.BranchChosen(choice.name, chosen));
        return chosen;
    }

    /** Sends the command of an execution, or of its compensation. The error says why it cannot be built. */
    Optional<String> send(StepExecution execution, Step.Send send, ProcessData data, boolean compensation) {
        String payload;
        try {
            payload = builder.payload(execution.step(), send, data);
        } catch (WaybillException e) {
            return Optional.of(String.valueOf(e.getMessage()));
        }
        String place = state.processId() + ":" + execution.label();
        commands.add(new StepCommand(
                state.processId(),
                execution.label(),
                send.type(),
                compensation ? compensationCommandId(execution.number()) : commandId(execution.number()),
                execution.attempt(),
                payload,
                compensation ? place + ":compensation" : place,
                place,
                state.businessKey(),
                execution.dueAt(),
                compensation ? StepCommand.Purpose.COMPENSATION : StepCommand.Purpose.STEP,
                null));
        return Optional.empty();
    }

    /** Asks the worker that has the command of the step whether it was done. It goes where the command went, so that both meet at one row. */
    void refuse(StepExecution execution, Step.Send send) {
        String place = state.processId() + ":" + execution.label();
        commands.add(new StepCommand(
                state.processId(),
                execution.label(),
                send.type(),
                refusalId(execution.number()),
                execution.attempt(),
                "{}",
                place + ":refuse",
                place,
                state.businessKey(),
                null,
                StepCommand.Purpose.REFUSAL,
                execution.commandId()));
    }

    /** What is known of a command without a reply in time. If it was not done, and its handler is on this database, it is ended. */
    CommandReply giveUp(UUID commandId, int attempt, String why) {
        CommandReply reply = known.apply(commandId);
        if (reply instanceof CommandReply.Failed) {
            end(commandId, attempt, why);
        }
        return reply;
    }

    void end(UUID commandId, int attempt, String why) {
        ended.add(new Decision.Ended(commandId, attempt, why));
    }

    /** Of which type the process is that an execution has started. */
    String childType(StepExecution execution) {
        return ((Step.Child) definition.at(execution.step()).step.action()).type();
    }

    UUID refusalId(int number) {
        return id(number + ":refuse");
    }

    UUID commandId(int number) {
        return id(number + "");
    }

    UUID compensationCommandId(int number) {
        return id(number + ":compensation");
    }

    /**
     * The same for the same execution, so that a decision that is made twice sends the same command twice. It begins as the process's id does,
     * with the time: then an index grows at one end, and the commands of a process are neighbours in it.
     */
    private UUID id(String place) {
        UUID hash = UUID.nameUUIDFromBytes((state.processId() + ":" + place).getBytes(UTF_8));
        long time = state.processId().getMostSignificantBits() & ~0xFFFFL;
        return new UUID(
                time | CUSTOM_VERSION | (hash.getMostSignificantBits() & 0xFFF), hash.getLeastSignificantBits());
    }

    @Nullable
    Instant after(@Nullable Duration duration) {
        if (duration == null) {
            return null;
        }
        try {
            return now.plus(duration).truncatedTo(ChronoUnit.MICROS);
        } catch (ArithmeticException | DateTimeException e) {
            throw new WaybillException("A duration of " + duration + " from " + now + " on cannot be waited for.", e);
        }
    }
}
