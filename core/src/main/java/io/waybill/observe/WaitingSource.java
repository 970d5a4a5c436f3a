package io.waybill.observe;

import java.util.ArrayList;
import java.util.List;

/**
 * Knows what waits: a database, or a relay of this process.
 *
 * <p><i>Threads:</i> safe. What it asks a database is bounded, however much waits there.
 */
@FunctionalInterface
public interface WaitingSource {

    /** What waits now, the usual and the unusual. */
    List<WaitingItem> waiting();

    /** What all of them know; what several know is taken from the first of them. */
    static List<WaitingItem> all(List<WaitingSource> sources) {
        var all = new ArrayList<WaitingItem>();
        for (WaitingSource source : sources) {
            source.waiting().stream()
                    .filter(one -> all.stream().noneMatch(one::isAbout))
                    .toList()
                    .forEach(all::add);
        }
        return all;
    }
}
