package io.waybill.console.correlation;

import io.waybill.console.api.ConsoleDatabase;
import io.waybill.console.correlation.CorrelatedItem.Kind;
import io.waybill.jdbc.ops.CommandAdmin;
import io.waybill.message.Envelope;
import io.waybill.message.NamedId;
import io.waybill.process.state.ProcessParent;
import io.waybill.process.state.ProcessState;
import io.waybill.process.state.StepExecution;
import io.waybill.process.state.StepKind;
import io.waybill.store.admin.Selection;
import io.waybill.store.admin.StoredMessage;
import io.waybill.store.failed.FailedMessage;
import io.waybill.store.failed.FailedSelection;
import io.waybill.transport.wire.Headers;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Stream;

/**
 * Collects what has a correlation id. Processes and their commands are found by their keys; commands without a process among the latest,
 * messages among the latest of the outbox, because correlation ids have no index.
 */
final class CorrelationSearch {

    /** How many messages of the outbox are searched, the latest. */
    static final int MAX_SEARCHED = 5_000;

    static final int MAX_PROCESSES = 10;
    static final int MAX_ITEMS = 500;

    private static final int STEP = 2_500;
    private static final int MAX_FAILED = 500;
    private static final String COMMAND_ID = "command-id";

    private final ConsoleDatabase database;
    private final Map<String, CorrelatedItem> items = new LinkedHashMap<>();
    private final Map<UUID, StepExecution> steps = new LinkedHashMap<>();
    private final Map<UUID, UUID> processOfCommand = new LinkedHashMap<>();
    private final Set<String> correlations = new LinkedHashSet<>();
    private final List<StoredMessage> messages = new ArrayList<>();

    private CorrelationSearch(ConsoleDatabase database) {
        this.database = database;
    }

    /** All that belongs to the correlation id; the id of a command or a sub-process stands for what it is a part of. */
    static Collection<CorrelatedItem> of(ConsoleDatabase database, String correlation) {
        var search = new CorrelationSearch(database);
        search.collect(correlation);
        return search.items.values();
    }

    private void collect(String correlation) {
        correlations.add(correlation);
        Optional<UUID> id = NamedId.read(correlation);
        id.ifPresent(this::processes);
        messages();
        commands(id);
        messages.forEach(this::message);
        failed();
    }

    private void processes(UUID id) {
        Optional<ProcessState> first = database.processes().read(id);
        if (first.isEmpty()) {
            first = database.store().commandAdmin().find(id).stream()
                    .filter(command -> !command.correlationId().equals(id))
                    .flatMap(command -> database.processes().read(command.correlationId()).stream())
                    .findFirst();
        }
        Deque<ProcessState> open = new ArrayDeque<>();
        first.ifPresent(open::add);
        Set<UUID> seen = new LinkedHashSet<>();
        while (!open.isEmpty() && seen.size() < MAX_PROCESSES) {
            ProcessState process = open.remove();
            if (seen.add(process.processId())) {
                process(process);
                related(process)
                        .filter(other -> !seen.contains(other))
                        .limit(MAX_PROCESSES)
                        .forEach(other -> {
                            if (seen.size() + open.size() < MAX_PROCESSES) {
                                database.processes().read(other).ifPresent(open::add);
                            }
                        });
            }
        }
    }

    private static Stream<UUID> related(ProcessState process) {
        ProcessParent parent = process.parent();
        return Stream.concat(
                Stream.ofNullable(parent).map(ProcessParent::processId),
                process.executions().stream()
                        .filter(step -> step.kind() == StepKind.CHILD)
                        .flatMap(step -> Stream.ofNullable(step.commandId())));
    }

    private void process(ProcessState process) {
        UUID id = process.processId();
        correlations.add(id.toString());
        ProcessParent parent = process.parent();
        add(
                Kind.PROCESS,
                id.toString(),
                id.toString(),
                process.processType() + " " + process.businessKey(),
                process.status().name(),
                parent == null ? "" : "a step of its parent",
                process.header().createdAt(),
                parent == null ? List.of() : List.of(parent.processId().toString()));
        for (StepExecution step : process.executions()) {
            if (step.kind() == StepKind.COMMAND && step.commandId() != null) {
                steps.put(step.commandId(), step);
                processOfCommand.put(step.commandId(), id);
            }
            if (step.compensationCommandId() != null) {
                steps.put(step.compensationCommandId(), step);
                processOfCommand.put(step.compensationCommandId(), id);
            }
        }
    }

    /** What the latest messages say of themselves: their payloads are not read. */
    private void messages() {
        long after = Math.max(0, database.outbox().lastPosition() - MAX_SEARCHED);
        List<StoredMessage> some;
        int searched = 0;
        do {
            some = database.outbox().list(Selection.all(), after, STEP);
            searched += some.size();
            for (StoredMessage stored : some) {
                after = stored.position();
                if (isWanted(stored.envelope())) {
                    messages.add(stored);
                }
            }
        } while (some.size() == STEP && searched < MAX_SEARCHED);
    }

    private boolean isWanted(Envelope message) {
        return correlations.contains(message.headers().getOrDefault(Headers.CORRELATION_ID, ""));
    }

    private void commands(Optional<UUID> correlation) {
        Set<UUID> ids = new LinkedHashSet<>(steps.keySet());
        correlation.ifPresent(ids::add);
        messages.forEach(message -> commandOf(message.envelope()).ifPresent(ids::add));
        List<UUID> some = ids.stream().limit(MAX_ITEMS).toList();
        CommandAdmin commands = database.store().commandAdmin();
        Stream.concat(
                        commands.all(some).stream(),
                        correlation.stream().flatMap(id -> commands.correlated(id, MAX_ITEMS).stream()))
                .forEach(this::command);
    }

    private static Optional<UUID> commandOf(Envelope message) {
        return NamedId.read(message.headers().getOrDefault(COMMAND_ID, ""));
    }

    private void command(CommandAdmin.Stored command) {
        UUID id = command.id();
        List<String> causes = new ArrayList<>();
        messages.stream()
                .map(StoredMessage::envelope)
                .filter(message -> commandOf(message).filter(id::equals).isPresent())
                .flatMap(message -> cause(message).stream())
                .forEach(causes::add);
        causes.add(String.valueOf(processOfCommand.getOrDefault(id, command.correlationId())));
        causes.remove(id.toString());
        StepExecution step = steps.get(id);
        add(
                Kind.COMMAND,
                id.toString(),
                id.toString(),
                command.type(),
                command.status().name(),
                step == null ? "" : (id.equals(step.compensationCommandId()) ? "compensates " : "step ") + step.label(),
                command.createdAt(),
                causes);
    }

    private static Optional<String> cause(Envelope message) {
        return Optional.ofNullable(message.headers().get(Headers.CAUSATION_ID));
    }

    private void message(StoredMessage stored) {
        Envelope message = stored.envelope();
        add(
                Kind.MESSAGE,
                message.id().toString(),
                message.id().toString(),
                message.type(),
                stored.status().name(),
                "to " + message.destination(),
                stored.createdAt(),
                causes(message));
    }

    /** A command's message is there because of the command, which is there because of what its headers say. */
    private static List<String> causes(Envelope message) {
        return Stream.concat(
                        Stream.concat(commandOf(message).map(UUID::toString).stream(), cause(message).stream()),
                        Stream.ofNullable(message.headers().get(Headers.CORRELATION_ID)))
                .filter(cause -> !cause.equals(message.id().toString()))
                .toList();
    }

    private void failed() {
        for (FailedMessage failed : database.failed().list(FailedSelection.all(), 0, MAX_FAILED)) {
            Envelope message = failed.message();
            if (isWanted(message)) {
                add(
                        Kind.FAILED,
                        "failed-" + failed.id(),
                        String.valueOf(failed.id()),
                        message.type(),
                        failed.state().name(),
                        "failed in " + failed.handler(),
                        failed.firstFailedAt(),
                        Stream.concat(Stream.of(message.id().toString()), causes(message).stream())
                                .toList());
            }
        }
    }

    private void add(
            Kind kind,
            String id,
            String link,
            String name,
            String status,
            String note,
            Instant at,
            List<String> causes) {
        if (items.size() <= MAX_ITEMS) {
            items.putIfAbsent(id, new CorrelatedItem(id, kind, link, name, status, note, at, causes));
        }
    }
}
