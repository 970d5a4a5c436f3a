package io.waybill.console.correlation;

import java.time.Instant;
import java.util.List;

/**
 * A process, a command or a message of one correlation.
 *
 * @param id unique among the items
 * @param link what its page is asked for with
 * @param note in words, what it is for its cause
 * @param causes ids of what may have caused it, the nearest first
 */
record CorrelatedItem(
        String id, Kind kind, String link, String name, String status, String note, Instant at, List<String> causes) {

    /** What it is; each has a page. */
    enum Kind {
        PROCESS,
        COMMAND,
        MESSAGE,
        FAILED
    }
}
