package io.waybill.testkit;

import io.waybill.message.Envelope;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.ToLongFunction;

/**
 * Looks at what a receiver saw, without knowing anything of how it got there: what is missing, what came twice, and where a key
 * shows a later message before an earlier one.
 */
public record OrderCheck(int received, int lost, int repeated, List<String> violations) {

    /**
     * Checks messages whose number rises with every append of their key.
     *
     * @param expected how many different messages there must be
     */
    public static OrderCheck of(List<Envelope> received, int expected, ToLongFunction<Envelope> number) {
        Set<UUID> seen = new HashSet<>();
        Map<List<String>, Long> last = new HashMap<>();
        var violations = new ArrayList<String>();
        int repeated = 0;
        for (Envelope message : received) {
            if (!seen.add(message.id())) {
                repeated++;
            } else if (message.isOrdered()) {
                var key = List.of(message.destination(), message.partitionKey());
                long current = number.applyAsLong(message);
                Long before = last.put(key, current);
                if (before != null && before >= current) {
                    violations.add("key " + key + ": " + current + " after " + before);
                }
            }
        }
        return new OrderCheck(seen.size(), expected - seen.size(), repeated, violations);
    }
}
