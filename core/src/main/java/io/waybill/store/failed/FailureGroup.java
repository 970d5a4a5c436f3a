package io.waybill.store.failed;

import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.TreeMap;
import java.util.stream.Stream;

/** Failed messages with the same reason. */
public record FailureGroup(
        String fingerprint, String kind, String source, String handler, long count, Instant first, Instant last) {

    /** The groups of these messages, the largest first, for stores that do not ask a database. */
    public static List<FailureGroup> of(Stream<FailedMessage> messages) {
        var groups = new TreeMap<String, FailureGroup>();
        messages.forEach(message -> groups.merge(message.cause().fingerprint(), of(message), FailureGroup::plus));
        return groups.values().stream()
                .sorted(Comparator.comparing(FailureGroup::count).reversed())
                .toList();
    }

    private static FailureGroup of(FailedMessage message) {
        return new FailureGroup(
                message.cause().fingerprint(),
                message.cause().kind(),
                message.source(),
                message.handler(),
                1,
                message.firstFailedAt(),
                message.lastFailedAt());
    }

    private FailureGroup plus(FailureGroup other) {
        return new FailureGroup(
                fingerprint,
                kind,
                source,
                handler,
                count + other.count,
                first.isBefore(other.first) ? first : other.first,
                last.isAfter(other.last) ? last : other.last);
    }
}
