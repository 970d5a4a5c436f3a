package io.waybill.process;

import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/**
 * Finds processes for which something is due, and passes over those that this node could not move a moment ago: they must not keep
 * the others waiting.
 *
 * <p><i>Threads:</i> safe.
 */
final class DueProcesses {

    private static final Duration PAUSE = Duration.ofMinutes(1);
    private static final int MOST_REMEMBERED = 10_000;

    private final ProcessStore store;
    private final Map<UUID, Instant> passedOver = new HashMap<>();

    DueProcesses(ProcessStore store) {
        this.store = store;
    }

    synchronized List<UUID> next(int limit, Instant now) {
        passedOver.values().removeIf(since -> !now.isBefore(since.plus(PAUSE)));
        return store.due(limit + passedOver.size()).stream()
                .filter(id -> !passedOver.containsKey(id))
                .limit(limit)
                .toList();
    }

    /** This one could not be moved: it is left alone for a while. */
    synchronized void passOver(UUID processId, Instant now) {
        if (passedOver.size() < MOST_REMEMBERED) {
            passedOver.put(processId, now);
        }
    }
}
