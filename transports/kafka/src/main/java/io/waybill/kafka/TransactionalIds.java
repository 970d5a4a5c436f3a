package io.waybill.kafka;

import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;

/**
 * The transactional ids of publishers: {@code waybill-RELAY-0}, {@code waybill-RELAY-1}, … Publishers that are open at the same
 * time have different ones, so that they do not fence each other; those of a relay that starts again under its name are the same,
 * so that the cluster does not have to remember more and more of them.
 *
 * <p><i>Threads:</i> safe. For the whole process, because a relay's publishers may come from several transports.
 */
final class TransactionalIds {

    private static final Map<String, BitSet> TAKEN = new HashMap<>();

    private TransactionalIds() {}

    static synchronized String take(String relay) {
        BitSet taken = TAKEN.computeIfAbsent(prefix(relay), none -> new BitSet());
        int free = taken.nextClearBit(0);
        taken.set(free);
        return prefix(relay) + free;
    }

    static synchronized void release(String id) {
        int end = id.lastIndexOf('-') + 1;
        BitSet taken = TAKEN.get(id.substring(0, end));
        if (taken != null) {
            taken.clear(Integer.parseInt(id.substring(end)));
        }
    }

    /** Not by the prefix alone: the name of another relay may go on where this one ends. */
    static boolean isOf(String relay, String id) {
        return id.startsWith(prefix(relay))
                && id.substring(prefix(relay).length()).matches("\\d+");
    }

    private static String prefix(String relay) {
        return "waybill-" + relay + "-";
    }
}
