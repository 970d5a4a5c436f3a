package io.waybill.relay.publish;

import io.waybill.relay.route.PublisherPool.Line;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Messages on which their destination failed, where nobody knows whether the message or the destination is the reason. A message is to blame
 * when the destination has accepted another one since, or when it was asked with this one alone again and again.
 *
 * <p>It is kept in memory: a relay that is started again asks once more before it blames anybody.
 *
 * <p><i>Threads:</i> the relay's own.
 */
final class DoubtfulMessages {

    /** So many failures in a row of one message, with nothing else to ask with, count as one attempt. */
    static final int PROBES_PER_ATTEMPT = 10;

    private static final int MAX_MESSAGES = 1_000;

    private final Map<Line, Doubted> lines = new HashMap<>();

    /** The destination failed on the message. Returns whether that uses an attempt. */
    boolean isToBlame(Line line, UUID message) {
        return lines.computeIfAbsent(line, none -> new Doubted()).isToBlame(message);
    }

    /** The destination has accepted something. */
    void accepted(Line line) {
        Doubted doubted = lines.get(line);
        if (doubted != null) {
            doubted.accepted++;
        }
    }

    /** The messages of one line. */
    private static final class Doubted {

        /** How many messages were accepted when the line failed on this one. */
        private final Map<UUID, Long> acceptedBefore = new LinkedHashMap<>() {
            @Override
            protected boolean removeEldestEntry(Map.Entry<UUID, Long> eldest) {
                return size() > MAX_MESSAGES;
            }
        };

        private long accepted;
        private @Nullable UUID last;
        private int inARow;

        boolean isToBlame(UUID message) {
            inARow = message.equals(last) ? inARow + 1 : 1;
            last = message;
            Long before = acceptedBefore.put(message, accepted);
            if (inARow >= PROBES_PER_ATTEMPT) {
                inARow = 0;
                return true;
            }
            return before != null && accepted > before;
        }
    }
}
