package io.waybill.command.execution;

import java.util.Map;
import java.util.Optional;

/** What is replied to the question whether a command was done, which refuses it from then on if it was not. */
public final class Refusal {

    private static final String REFUSED = "refused";
    private static final String REPLY = "reply";

    private Refusal() {}

    /** The command was not done, and never will be. */
    public static Map<String, Object> refused() {
        return Map.of(REFUSED, true);
    }

    /** The command was done before, with this reply. */
    public static Map<String, Object> done(Map<String, Object> data) {
        return Map.of(REFUSED, false, REPLY, data);
    }

    /** What the command replied when it was done; nothing when it was refused. */
    @SuppressWarnings("unchecked")
    public static Optional<Map<String, Object>> read(Map<String, Object> data) {
        return Boolean.TRUE.equals(data.get(REFUSED))
                ? Optional.empty()
                : Optional.of((Map<String, Object>) data.getOrDefault(REPLY, Map.of()));
    }
}
