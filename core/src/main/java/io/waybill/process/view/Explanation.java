package io.waybill.process.view;

import static java.util.stream.Collectors.joining;

import io.waybill.process.definition.ProcessDefinition;
import io.waybill.process.message.ProcessMessageJson;
import io.waybill.process.state.CompensationEvent;
import io.waybill.process.state.ProcessEvent;
import io.waybill.process.state.ProcessState;
import io.waybill.process.state.ProcessStatus;
import io.waybill.process.state.StepExecution;
import io.waybill.process.state.StepKind;
import io.waybill.process.state.StepStatus;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Says in words what a process waits for, since when, and what happens next. */
public final class Explanation {

    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("HH:mm:ss", Locale.ROOT).withZone(ZoneOffset.UTC);
    private static final DateTimeFormatter DAY_AND_TIME =
            DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm:ss", Locale.ROOT).withZone(ZoneOffset.UTC);

    private final Optional<ProcessDefinition> definition;
    private final ProcessState state;
    private final List<ProcessEvent> log;
    private final boolean inApplication;

    /** In an application, which has the definition or should have it. */
    public Explanation(Optional<ProcessDefinition> definition, ProcessState state, List<ProcessEvent> log) {
        this(definition, state, log, true);
    }

    private Explanation(
            Optional<ProcessDefinition> definition, ProcessState state, List<ProcessEvent> log, boolean inApplication) {
        this.definition = definition;
        this.state = state;
        this.log = log;
        this.inApplication = inApplication;
    }

    /** Outside of the application, where nobody has the definition: by what is stored alone. */
    public static Explanation ofStored(ProcessState state, List<ProcessEvent> log) {
        return new Explanation(Optional.empty(), state, log, false);
    }

    public String text() {
        var text = new StringBuilder();
        text.append(state.processType())
                .append(' ')
                .append(state.businessKey())
                .append(" is ")
                .append(state.status());
        text.append(" since ").append(at(state.updatedAt())).append(". ");
        if (!state.reason().isEmpty()) {
            text.append("The cause")
                    .append(ProcessEvent.because(state.reason()))
                    .append(". ");
        }
        if (inApplication && definition.isEmpty()) {
            text.append("This instance of the application does not have version ")
                    .append(state.version())
                    .append(" of its definition and cannot continue it. ");
        }
        state.executions().stream()
                .filter(this::isToldAbout)
                .forEach(step -> text.append(about(step)).append(held(step)).append(' '));
        if (state.status() == ProcessStatus.CANCELLED) {
            text.append(inDoubt());
        }
        if (state.status() == ProcessStatus.PAUSED) {
            text.append("An operator holds it: nothing is begun until it is resumed. ");
        }
        text.append(next());
        return text.toString().strip();
    }

    private boolean isToldAbout(StepExecution step) {
        boolean waits = step.status().isOpen() || step.status() == StepStatus.COMPENSATION_BLOCKED;
        return waits
                && step.kind() != StepKind.FORK
                && step.kind() != StepKind.BRANCH
                && step.kind() != StepKind.STORED_SIGNAL
                && step.kind() != StepKind.FOR_EACH;
    }

    private String about(StepExecution step) {
        String name = step.label();
        String since = at(step.since());
        String failure = step.error().isEmpty() ? "" : ": the last attempt failed with \"" + step.error() + "\"";
        return switch (step.status()) {
            case RUNNING -> waiting(step, since);
            case WAITING ->
                name + " is tried again at " + at(step.dueAt()) + " (attempt " + (step.attempt() + 1) + of(step, false)
                        + ")" + failure + ".";
            case REFUSING ->
                name + " is in doubt: its worker has been asked since " + since
                        + " whether it was done, and to refuse it if it was not" + failure
                        + ". What came before it is compensated after the reply; retry asks again, skip or resolve waits no longer.";
            case COMPENSATING ->
                name + " is being compensated (" + compensation(step) + ", attempt " + step.attempt() + of(step, true)
                        + ", since " + since + ")" + failure + ".";
            case COMPENSATION_WAITING ->
                name + " is being compensated (" + compensation(step) + ", attempt " + (step.attempt() + 1)
                        + of(step, true) + ", next at " + at(step.dueAt()) + ")" + failure + ".";
            default ->
                name + " is blocked since " + since + ": " + compensation(step) + " failed " + step.attempt()
                        + (step.attempt() == 1 ? " time" : " times") + failure
                        + ". Retry, skip or resolve it.";
        };
    }

    private String inDoubt() {
        List<String> inDoubt = log.stream()
                .filter(ProcessEvent.ProcessCancelled.class::isInstance)
                .flatMap(cancelled -> ((ProcessEvent.ProcessCancelled) cancelled).inDoubt().stream())
                .toList();
        return inDoubt.isEmpty()
                ? ""
                : String.join(", ", inDoubt) + " may still take effect: its handler is on another database. ";
    }

    /** A reply that no instance could take yet. */
    private String held(StepExecution step) {
        boolean isHeld = log.stream()
                .anyMatch(event -> event instanceof ProcessEvent.ReplyHeld held
                        && (held.commandId().equals(step.commandId())
                                || held.commandId().equals(step.compensationCommandId())));
        return isHeld
                ? " A reply has come, and waits in the outbox for an instance that has version " + state.version()
                        + " of the definition (" + ProcessMessageJson.destination(state.processType(), state.version())
                        + ")."
                : "";
    }

    private String waiting(StepExecution step, String since) {
        String until = step.dueAt() == null ? "" : " until " + at(step.dueAt());
        return switch (step.kind()) {
            case DELAY -> step.step() + " lets time pass" + until + ".";
            case SIGNAL -> step.step() + " waits for a signal since " + since + until + ".";
            case CHILD -> step.step() + " waits for the process " + step.commandId() + " since " + since + until + ".";
            default ->
                step.label() + " waits for its reply since " + since + until
                        + (step.attempt() > 1 ? " (attempt " + step.attempt() + of(step, false) + ")" : "") + ".";
        };
    }

    /** How many attempts there can be. */
    private String of(StepExecution step, boolean compensation) {
        return definition
                .map(known ->
                        compensation ? known.maxCompensationAttempts(step.step()) : known.maxAttempts(step.step()))
                .map(most -> " of " + most)
                .orElse("");
    }

    /** The command that compensates the step, as it was sent last; a step that is a process itself is compensated by that process. */
    private String compensation(StepExecution step) {
        return log.stream()
                .filter(event -> event instanceof CompensationEvent.CompensationStepStarted started
                        && started.number() == step.number())
                .map(event -> ((CompensationEvent.CompensationStepStarted) event).compensation())
                .reduce((first, last) -> last)
                .or(() ->
                        definition.flatMap(known -> known.graph().getCompensationStep(known.currentName(step.step()))))
                .orElse("its own process");
    }

    private String next() {
        if (definition.isEmpty() || (state.status().isFinished() && !state.isBlocked())) {
            return "";
        }
        boolean compensating = state.status() == ProcessStatus.COMPENSATING || state.isBlocked();
        List<String> names = compensating ? toBeCompensated() : List.of();
        if (compensating) {
            return names.isEmpty()
                    ? "After it the process ends."
                    : "After it " + names.stream().collect(joining(", "))
                            + (names.size() == 1 ? " follows." : " follow.");
        }
        return "";
    }

    private List<String> toBeCompensated() {
        var names = new ArrayList<String>();
        for (StepExecution step : state.executions()) {
            boolean done = step.status() == StepStatus.COMPLETED || step.status() == StepStatus.IN_DOUBT;
            if (done && step.kind() == StepKind.COMMAND) {
                definition
                        .flatMap(known -> known.graph().getCompensationStep(known.currentName(step.step())))
                        .ifPresent(name -> names.add(0, name));
            }
        }
        return names;
    }

    /** In UTC; with the day when it is not that of the last event. */
    private String at(@Nullable Instant moment) {
        if (moment == null) {
            return "any time";
        }
        boolean sameDay =
                moment.truncatedTo(ChronoUnit.DAYS).equals(state.updatedAt().truncatedTo(ChronoUnit.DAYS));
        return (sameDay ? TIME : DAY_AND_TIME).format(moment);
    }
}
