package io.waybill.process;

import io.waybill.process.definition.ProcessDefinitions;
import io.waybill.process.store.ProcessStore;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/**
 * Finds processes of this node's definitions for which something is due, and passes over those that it could not move a moment ago: they must
 * not keep the others waiting.
 *
 * <p><i>Threads:</i> safe.
 */
final class DueProcesses {

    private static final Duration PAUSE = Duration.ofMinutes(1);

    private final ProcessStore store;
    private final List<ProcessStore.Version> definitions;
    private final Map<UUID, Instant> passedOver = new HashMap<>();

    DueProcesses(ProcessStore store, ProcessDefinitions definitions) {
        this.store = store;
        this.definitions = definitions.all().stream()
                .map(definition -> new ProcessStore.Version(definition.type(), definition.version()))
                .toList();
    }

    synchronized List<UUID> next(int limit, Instant now) {
        passedOver.values().removeIf(since -> !now.isBefore(since.plus(PAUSE)));
        return store.due(definitions, limit + passedOver.size()).stream()
                .filter(id -> !passedOver.containsKey(id))
                .limit(limit)
                .toList();
    }

    /** This one could not be moved: it is left alone for a while. */
    synchronized void passOver(UUID processId, Instant now) {
        passedOver.put(processId, now);
    }
}
