package io.waybill.testkit.process;

import io.waybill.process.state.ProcessHeader;
import io.waybill.process.state.ProcessState;
import io.waybill.process.state.ProcessStatus;
import io.waybill.process.state.StepExecution;
import io.waybill.process.state.StepKind;
import io.waybill.process.state.StepStatus;
import io.waybill.process.store.StuckProcess;
import io.waybill.process.store.StuckProcess.Missing;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** Which steps wait for something that does not exist; what a database finds with SQL. */
final class StuckRules {

    private final Function<UUID, Optional<ProcessState>> processes;
    private final Predicate<UUID> isOnTheWay;

    /** @param isOnTheWay whether a command with this id, or a message to a process with this id, is on the way */
    StuckRules(Function<UUID, Optional<ProcessState>> processes, Predicate<UUID> isOnTheWay) {
        this.processes = processes;
        this.isOnTheWay = isOnTheWay;
    }

    Stream<StuckProcess> in(ProcessState state) {
        ProcessStatus status = state.status();
        if (status.isFinished() || status == ProcessStatus.PAUSED || isOnTheWay.test(state.processId())) {
            return Stream.empty();
        }
        List<StepExecution> open =
                state.executions().stream().filter(StuckRules::isMoving).toList();
        ProcessHeader header = state.header();
        return open.isEmpty()
                ? Stream.of(stuck(state, header.currentStep(), Missing.STEP, header.updatedAt()))
                : open.stream()
                        .filter(step -> step.dueAt() == null && step.kind() != StepKind.SIGNAL)
                        .flatMap(step ->
                                missing(step)
                                        .map(missing -> stuck(state, step.step(), missing, step.since()))
                                        .stream());
    }

    private static StuckProcess stuck(ProcessState state, String step, Missing missing, Instant since) {
        return new StuckProcess(
                state.processId(), state.processType(), state.header().businessKey(), step, missing, since);
    }

    private Optional<Missing> missing(StepExecution step) {
        if (step.kind() == StepKind.DELAY
                || step.status() == StepStatus.WAITING
                || step.status() == StepStatus.COMPENSATION_WAITING) {
            return Optional.of(Missing.TIME);
        }
        UUID waitsFor = step.kind() == StepKind.CHILD || step.status() == StepStatus.RUNNING
                ? step.commandId()
                : step.compensationCommandId();
        if (waitsFor != null && isOnTheWay.test(waitsFor)) {
            return Optional.empty();
        }
        if (step.kind() != StepKind.CHILD) {
            return Optional.of(Missing.COMMAND);
        }
        return Optional.ofNullable(waitsFor)
                        .flatMap(processes)
                        .filter(StuckRules::lives)
                        .isPresent()
                ? Optional.empty()
                : Optional.of(Missing.CHILD);
    }

    private static boolean lives(ProcessState child) {
        return !child.status().isFinished() || child.isBlocked();
    }

    private static boolean isMoving(StepExecution step) {
        return step.status().isOpen()
                && step.kind() != StepKind.FORK
                && step.kind() != StepKind.FOR_EACH
                && step.kind() != StepKind.BRANCH
                && step.kind() != StepKind.STORED_SIGNAL;
    }
}
