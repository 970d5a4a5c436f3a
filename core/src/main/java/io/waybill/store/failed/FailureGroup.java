package io.waybill.store.failed;

import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * Failed messages with the same reason.
 *
 * @param error of one of them
 * @param failedAgain how many of them failed again after an operator had retried them
 */
public record FailureGroup(
        String fingerprint,
        String kind,
        String error,
        String source,
        String handler,
        long count,
        long failedAgain,
        Instant first,
        Instant last) {

    /** What is wrong with one of them, in one line. */
    public String label() {
        return new Failure.Cause(kind, error, "", fingerprint).label();
    }

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
                message.cause().error(),
                message.source(),
                message.handler(),
                1,
                message.hasFailedAgain() ? 1 : 0,
                message.firstFailedAt(),
                message.lastFailedAt());
    }

    private FailureGroup plus(FailureGroup other) {
        return new FailureGroup(
                fingerprint,
                kind,
                error,
                source,
                handler,
                count + other.count,
                failedAgain + other.failedAgain,
                first.isBefore(other.first) ? first : other.first,
                last.isAfter(other.last) ? last : other.last);
    }
}
