package io.waybill.jdbc.internal.waiting;

import static java.util.stream.Collectors.toMap;

import io.waybill.jdbc.internal.admin.OutboxCounts.Count;
import io.waybill.jdbc.internal.waiting.JdbcWaitingSource.Found;
import io.waybill.jdbc.internal.waiting.JdbcWaitingSource.Judge;
import io.waybill.observe.WaitingItem;
import io.waybill.observe.WaitingItem.Kind;
import io.waybill.store.failed.FailedState;
import io.waybill.store.outbox.PausedDestination;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What waits on the way of messages: destinations, messages that were refused, keys, shards, timers, operations. */
final class WaitingMessages {

    /** A key is blocked anew with every attempt: since when it waits is known from the message that it waits for. */
    private static final String KEYS = """
            SELECT k.destination, count(*), min(o.created_at), max(o.created_at), min(k.partition_key), k.reason
              FROM (SELECT destination, partition_key, reason, outbox_id FROM ${prefix}outbox_blocked_key LIMIT 1000) k
              JOIN ${prefix}outbox o ON o.outbox_id = k.outbox_id
             GROUP BY k.destination, k.reason
            """;

    private static final String SCHEDULED = """
            SELECT destination, count(*), min(due_at), max(due_at), ''
              FROM (SELECT destination, due_at FROM ${prefix}outbox_scheduled
                     WHERE due_at < (SELECT ${now_plus_millis}) ORDER BY due_at LIMIT 1000) next GROUP BY destination
            """;
    private static final String OPERATIONS = """
            SELECT command, 1, started_at, started_at, operator
              FROM (SELECT command, started_at, ended_at, operator FROM ${prefix}operation_log
                     WHERE started_at > (SELECT ${now_plus_millis}) ORDER BY started_at DESC LIMIT 1000) latest
             WHERE ended_at IS NULL
            """;
    private static final String SHARDS = """
            SELECT l.owner, count(*), min(l.expires_at), max(n.renewed_at)
              FROM ${prefix}relay_lease l LEFT JOIN ${prefix}relay_node n ON n.relay = l.owner
             WHERE l.owner <> '' GROUP BY l.owner
            """;

    /** What was interrupted longer ago is history. */
    private static final long RECENT_MILLIS = Duration.ofDays(7).toMillis();

    /** What is to happen later than this does not wait yet. */
    static final long SOON_MILLIS = Duration.ofDays(365).toMillis();

    private static final int MAX_ERROR = 200;

    private final JdbcWaitingSource rows;
    private final Judge judge;
    private final List<Count> counts;
    private final Map<String, PausedDestination> paused;

    /**
     * @param counts what is not published yet
     * @param paused what waits for these is due when somebody resumes them
     */
    WaitingMessages(JdbcWaitingSource rows, Judge judge, List<Count> counts, List<PausedDestination> paused) {
        this.rows = rows;
        this.counts = counts;
        this.judge = judge;
        this.paused = paused.stream().collect(toMap(PausedDestination::destination, one -> one));
    }

    List<WaitingItem> in(Connection connection) throws SQLException {
        var all = new ArrayList<WaitingItem>();
        Map<String, Long> pending = new HashMap<>();
        for (Count count : counts) {
            switch (count.status()) {
                case PENDING -> {
                    pending.put(count.destination(), count.messages());
                    if (!paused.containsKey(count.destination())) {
                        all.add(pending(count));
                    }
                }
                case WAITING -> all.add(retrying(count));
                case FAILED -> all.add(failed(count));
                case HELD, DISPATCHED, DISCARDED -> {}
            }
        }
        paused.values().forEach(one -> all.add(WaitingItem.of(one, pending.getOrDefault(one.destination(), 1L))));
        all.addAll(rows.query(
                connection,
                KEYS,
                List.of(),
                row -> key(
                        row.getString(1), row.getLong(2), rows.instant(row, 3), row.getString(5), row.getString(6))));
        rows.query(
                        connection,
                        SHARDS,
                        List.of(),
                        row -> shards(row.getString(1), row.getLong(2), rows.instant(row, 3), rows.moment(row, 4)))
                .forEach(silent -> silent.ifPresent(all::add));
        rows.found(connection, SCHEDULED, List.of(SOON_MILLIS)).forEach(found -> all.add(scheduled(found)));
        rows.found(connection, OPERATIONS, List.of(-RECENT_MILLIS)).forEach(found -> all.add(operation(found)));
        return all;
    }

    private WaitingItem pending(Count count) {
        return WaitingItem.of(
                Kind.DESTINATION,
                count.destination(),
                count.messages(),
                count.oldest(),
                judge.isLate(count.oldest()),
                count.messages() + " messages are not published or handled",
                "a relay with a route or handler for it gets them accepted: waybill doctor");
    }

    private WaitingItem retrying(Count count) {
        String destination = count.destination();
        return WaitingItem.of(
                Kind.MESSAGE,
                destination + " (retrying)",
                count.messages(),
                count.oldest(),
                isLate(destination, count.oldest()),
                count.messages() + " messages were refused up to " + count.maxAttempts()
                        + " times, the next attempt is at " + count.nextAttempt() + ", an error is: "
                        + shortened(count.error()),
                FailedState.RETRYING.endedBy() + ": " + FailedState.RETRYING.command() + " --from " + destination);
    }

    private boolean isLate(String destination, Instant since) {
        return judge.isLate(since) && !paused.containsKey(destination);
    }

    private static String shortened(@Nullable String error) {
        String line = error == null ? "" : error.lines().findFirst().orElse("");
        return line.length() <= MAX_ERROR ? line : line.substring(0, MAX_ERROR) + "...";
    }

    private static WaitingItem failed(Count count) {
        return WaitingItem.of(
                Kind.MESSAGE,
                count.destination() + " (failed)",
                count.messages(),
                count.oldest(),
                true,
                count.messages() + " messages were refused for the last time",
                "you replay or discard them: waybill outbox list --status failed --destination " + count.destination());
    }

    private WaitingItem key(String destination, long count, Instant since, String example, String reason) {
        return WaitingItem.of(
                Kind.KEY,
                destination + " (" + reason.toLowerCase(Locale.ROOT) + ")",
                count,
                since,
                isLate(destination, since),
                count + " keys wait behind a message of theirs that was refused, such as " + example,
                "that message is accepted, replayed or discarded: waybill outbox list --destination " + destination
                        + " --key " + example);
    }

    /** Shards of a relay that should have renewed its leases. */
    private Optional<WaitingItem> shards(String relay, long count, Instant expires, @Nullable Instant renewed) {
        boolean expired = expires.isBefore(judge.now());
        boolean overdue = renewed != null
                && Duration.between(renewed, judge.now()).compareTo(Duration.between(judge.now(), expires)) > 0;
        return expired || overdue
                ? Optional.of(WaitingItem.of(
                        Kind.SHARD,
                        relay,
                        count,
                        renewed == null ? expires : renewed,
                        true,
                        "the relay that has " + count + " shards does not renew its leases",
                        expired
                                ? "a relay takes them; they are free since " + expires
                                : "it renews them, or at " + expires + ", when other relays may take them"))
                : Optional.empty();
    }

    private WaitingItem scheduled(Found found) {
        return WaitingItem.of(
                Kind.TIMER,
                found.name(),
                found.count(),
                found.since(),
                judge.isOverdue(found.since()),
                found.count() + " messages are scheduled, the first for " + found.since(),
                "a relay of this database appends them when they are due: waybill outbox scheduled --destination "
                        + found.name());
    }

    private WaitingItem operation(Found found) {
        return WaitingItem.of(
                Kind.OPERATION,
                found.name(),
                1,
                found.since(),
                judge.isLate(found.since()),
                "an operation of " + found.note() + " has not ended",
                "it ends; if it was interrupted, run it again: waybill operation list");
    }
}
