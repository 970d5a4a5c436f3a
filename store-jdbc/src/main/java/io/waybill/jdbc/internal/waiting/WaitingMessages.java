package io.waybill.jdbc.internal.waiting;

import static java.util.stream.Collectors.toMap;

import io.waybill.jdbc.internal.waiting.JdbcWaitingSource.Found;
import io.waybill.jdbc.internal.waiting.JdbcWaitingSource.Judge;
import io.waybill.observe.WaitingItem;
import io.waybill.observe.WaitingItem.Kind;
import io.waybill.store.failed.FailedState;
import io.waybill.store.outbox.PausedDestination;
import java.sql.Connection;
import java.sql.ResultSet;
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

    private static final String PENDING = """
            SELECT destination, count(*), min(created_at), max(created_at), ''
              FROM ${prefix}outbox WHERE status = 'PENDING' AND available_at IS NULL GROUP BY destination
            """;
    private static final String RETRYING = """
            SELECT destination, count(*), min(created_at), min(available_at), max(retry_count), max(last_error)
              FROM ${prefix}outbox WHERE status = 'PENDING' AND available_at IS NOT NULL GROUP BY destination
            """;
    private static final String FAILED = """
            SELECT destination, count(*), min(created_at), max(created_at), ''
              FROM ${prefix}outbox WHERE status IN ('FAILED') GROUP BY destination
            """;
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
    private final Map<String, PausedDestination> paused;

    /** @param paused what waits for these is due when somebody resumes them */
    WaitingMessages(JdbcWaitingSource rows, Judge judge, List<PausedDestination> paused) {
        this.rows = rows;
        this.judge = judge;
        this.paused = paused.stream().collect(toMap(PausedDestination::destination, one -> one));
    }

    List<WaitingItem> in(Connection connection) throws SQLException {
        var all = new ArrayList<WaitingItem>();
        Map<String, Long> pending = new HashMap<>();
        for (Found found : rows.found(connection, PENDING, List.of())) {
            pending.put(found.name(), found.count());
            if (!paused.containsKey(found.name())) {
                all.add(pending(found));
            }
        }
        paused.values().forEach(one -> all.add(WaitingItem.of(one, pending.getOrDefault(one.destination(), 1L))));
        all.addAll(rows.query(connection, RETRYING, List.of(), this::retrying));
        rows.found(connection, FAILED, List.of()).forEach(found -> all.add(failed(found)));
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

    private WaitingItem pending(Found found) {
        return WaitingItem.of(
                Kind.DESTINATION,
                found.name(),
                found.count(),
                found.since(),
                judge.isLate(found.since()),
                found.count() + " messages are not published or handled",
                "a relay with a route or handler for it gets them accepted: waybill doctor");
    }

    private WaitingItem retrying(ResultSet row) throws SQLException {
        String destination = row.getString(1);
        long count = row.getLong(2);
        Instant since = rows.instant(row, 3);
        return WaitingItem.of(
                Kind.MESSAGE,
                destination + " (retrying)",
                count,
                since,
                isLate(destination, since),
                count + " messages were refused up to " + row.getInt(5) + " times, the next attempt is at "
                        + rows.moment(row, 4) + ", an error is: " + shortened(row.getString(6)),
                FailedState.RETRYING.endedBy() + ": " + FailedState.RETRYING.command() + " --from " + destination);
    }

    private boolean isLate(String destination, Instant since) {
        return judge.isLate(since) && !paused.containsKey(destination);
    }

    private static String shortened(@Nullable String error) {
        String line = error == null ? "" : error.lines().findFirst().orElse("");
        return line.length() <= MAX_ERROR ? line : line.substring(0, MAX_ERROR) + "...";
    }

    private static WaitingItem failed(Found found) {
        return WaitingItem.of(
                Kind.MESSAGE,
                found.name() + " (failed)",
                found.count(),
                found.since(),
                true,
                found.count() + " messages were refused for the last time",
                "you replay or discard them: waybill outbox list --status failed --destination " + found.name());
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
