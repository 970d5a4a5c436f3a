package io.waybill.jdbc.layout.claim;

import io.waybill.Time;
import io.waybill.jdbc.layout.table.ColumnMeaning;
import io.waybill.jdbc.layout.table.Layout;
import io.waybill.jdbc.layout.table.LayoutColumns;
import io.waybill.jdbc.layout.table.LayoutSql;
import io.waybill.jdbc.layout.table.RefusedRows;
import io.waybill.jdbc.sql.Jdbc;
import io.waybill.store.outbox.ClaimedMessage;
import io.waybill.store.outbox.ClaimedMessage.State;
import io.waybill.store.outbox.Lease;
import io.waybill.store.outbox.OnExhausted;
import io.waybill.store.outbox.Settlements;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;

/** What becomes of rows: removed or marked as done, to be tried again, or given up; in the table's own columns as far as it has them. */
final class LayoutSettlement {

    private static final int MAX_ERROR = 4_000;

    private final Layout layout;
    private final LayoutSql sql;
    private final LayoutColumns columns;
    private final RefusedRows waiting;
    private final Time time;
    private final boolean removesSent;
    private volatile long claimedAt;

    LayoutSettlement(Layout layout, LayoutSql sql, RefusedRows waiting, Time time, boolean keepsSent) {
        this.layout = layout;
        this.sql = sql;
        this.columns = sql.columns();
        this.waiting = waiting;
        this.time = time;
        this.removesSent = !keepsSent || layout.done().isEmpty();
    }

    /** Whether everything was accepted and nothing waited: then one statement does it. */
    boolean isPlain(Settlements settlements) {
        return settlements.returned().isEmpty()
                && settlements.size() == settlements.dispatched().size()
                && settlements.dispatched().stream()
                        .allMatch(message -> message.state() == State.READY && message.attempts() == 0);
    }

    /** Removes what was sent or marks it, if all of the leases still hold. */
    int dispatch(Connection connection, Collection<Lease> leases, List<ClaimedMessage> sent) throws SQLException {
        List<String> ids = sent.stream().map(ClaimedMessage::place).toList();
        if (removesSent) {
            return Jdbc.update(connection, sql.removeOf(ids, leases), sql.ids().binder(ids));
        }
        List<String> sets = new ArrayList<>(List.of(columns.sets(layout.done())));
        if (columns.has(ColumnMeaning.BATCH)) {
            sets.add(columns.setParameter(ColumnMeaning.BATCH));
        }
        if (columns.has(ColumnMeaning.STARTED_AT)) {
            sets.add(columns.setTime(ColumnMeaning.STARTED_AT, startedMillisAgo()));
        }
        return Jdbc.update(connection, sql.update(String.join(", ", sets), ids, leases), statement -> {
            int at = 1;
            if (columns.has(ColumnMeaning.BATCH)) {
                statement.setString(at++, UUID.randomUUID().toString());
            }
            sql.ids().bind(statement, at, ids);
        });
    }

    private long startedMillisAgo() {
        return claimedAt == 0 ? 0 : -(time.nanos().getAsLong() - claimedAt) / 1_000_000;
    }

    /** A batch is claimed now. */
    void started() {
        claimedAt = time.nanos().getAsLong();
    }

    /** Under the locks of the leases, as far as they still hold. */
    int settle(Connection connection, Collection<Lease> leases, Settlements settlements) throws SQLException {
        Set<Integer> ours = locked(connection, leases);
        List<Lease> held =
                leases.stream().filter(lease -> ours.contains(lease.shard())).toList();
        List<ClaimedMessage> dispatched = settlements.dispatched().stream()
                .filter(message -> ours.contains(message.shard()))
                .toList();
        int settled = dispatched.isEmpty() ? 0 : dispatch(connection, held, dispatched);
        waiting.remove(
                connection,
                dispatched.stream()
                        .filter(message -> message.state() == State.DUE || message.attempts() > 0)
                        .map(ClaimedMessage::place)
                        .toList());
        for (var retry : settlements.retries()) {
            if (ours.contains(retry.message().shard())) {
                settled += retry(connection, retry);
            }
        }
        for (var failure : settlements.failures()) {
            if (ours.contains(failure.message().shard())) {
                settled += fail(connection, failure);
            }
        }
        release(connection, settlements.held(), ours);
        release(connection, settlements.returned(), ours);
        return settled;
    }

    /** Settles these in a handler's transaction; false when one of them, or a lease, has gone. */
    boolean take(Connection connection, Collection<Lease> leases, List<ClaimedMessage> messages) throws SQLException {
        List<ClaimedMessage> due = messages.stream()
                .filter(message -> message.state() == ClaimedMessage.State.DUE
                        && message.envelope().isOrdered())
                .toList();
        return (due.isEmpty() || free(connection, leases, due))
                && dispatch(connection, leases, messages) == messages.size();
    }

    /** What waited behind these may follow; false when a lease has gone. */
    private boolean free(Connection connection, Collection<Lease> leases, List<ClaimedMessage> taken)
            throws SQLException {
        if (locked(connection, leases).size() < leases.size()) {
            return false;
        }
        waiting.remove(connection, taken.stream().map(ClaimedMessage::place).toList());
        return true;
    }

    private Set<Integer> locked(Connection connection, Collection<Lease> leases) throws SQLException {
        return Set.copyOf(Jdbc.query(connection, sql.lockLeases(leases), none -> {}, row -> row.getInt(1)));
    }

    private int retry(Connection connection, Settlements.Retry retry) throws SQLException {
        List<String> sets = new ArrayList<>();
        if (columns.has(ColumnMeaning.AVAILABLE_AT)) {
            sets.add(columns.setTime(
                    ColumnMeaning.AVAILABLE_AT,
                    retry.delay().plus(time.offset()).toMillis()));
        }
        int attempts = retry.attempts();
        if (!write(connection, retry.message(), sets, attempts, retry.error())) {
            return 0;
        }
        waiting.put(
                connection,
                retry.message(),
                true,
                RefusedRows.State.RETRY,
                attempts,
                shortened(retry.error()),
                retry.delay());
        return 1;
    }

    private int fail(Connection connection, Settlements.Failure failure) throws SQLException {
        ClaimedMessage message = failure.message();
        boolean marks = !layout.failed().isEmpty() && failure.then() != OnExhausted.BLOCK;
        boolean alone = !message.envelope().isOrdered() || failure.then() == OnExhausted.SKIP;
        int attempts = message.attempts() + 1;
        if (!write(
                connection,
                message,
                marks ? List.of(columns.sets(layout.failed())) : List.of(),
                attempts,
                failure.error())) {
            return 0;
        }
        if (marks && alone && columns.has(ColumnMeaning.ERROR)) {
            waiting.remove(connection, List.of(message.place()));
        } else {
            waiting.put(
                    connection,
                    message,
                    !alone,
                    marks ? RefusedRows.State.PARKED : RefusedRows.State.BLOCKED,
                    attempts,
                    shortened(failure.error()),
                    null);
        }
        return 1;
    }

    /** Writes to the row what it has columns for; false when it is not pending any more. */
    private boolean write(Connection connection, ClaimedMessage message, List<String> more, int attempts, String error)
            throws SQLException {
        List<String> sets = new ArrayList<>();
        if (columns.has(ColumnMeaning.ATTEMPTS)) {
            sets.add(columns.setParameter(ColumnMeaning.ATTEMPTS));
        }
        if (columns.has(ColumnMeaning.ERROR)) {
            sets.add(columns.setParameter(ColumnMeaning.ERROR));
        }
        sets.addAll(more);
        if (layout.rowClaims().isPresent()) {
            sets.add(columns.setNull(columns.claimColumn()));
        }
        List<String> ids = List.of(message.place());
        if (sets.isEmpty()) {
            return true;
        }
        return Jdbc.update(connection, sql.update(String.join(", ", sets), ids), statement -> {
                    int at = 1;
                    if (columns.has(ColumnMeaning.ATTEMPTS)) {
                        statement.setInt(at++, attempts);
                    }
                    if (columns.has(ColumnMeaning.ERROR)) {
                        statement.setString(at++, fitting(error));
                    }
                    sql.ids().bind(statement, at, ids);
                })
                == 1;
    }

    /** What was claimed and may not be sent after all. */
    private void release(Connection connection, List<ClaimedMessage> claimed, Set<Integer> ours) throws SQLException {
        List<String> ids = claimed.stream()
                .filter(message -> ours.contains(message.shard()))
                .map(ClaimedMessage::place)
                .toList();
        if (layout.rowClaims().isPresent() && !ids.isEmpty()) {
            Jdbc.update(
                    connection,
                    sql.update(columns.setNull(columns.claimColumn()), ids),
                    sql.ids().binder(ids));
        }
    }

    boolean note(Connection connection, Lease lease, ClaimedMessage message, int attempts, String error)
            throws SQLException {
        if (locked(connection, List.of(lease)).isEmpty()) {
            return false;
        }
        if (message.state() == State.DUE) {
            return true;
        }
        if (attempts == 0) {
            waiting.remove(connection, List.of(message.place()));
        } else {
            waiting.put(connection, message, false, RefusedRows.State.NOTED, attempts, error, null);
        }
        return true;
    }

    /** Messages that somebody wants to be sent again after they had failed: their mark in the table is gone. */
    void forgetRestored(Connection connection, int limit) throws SQLException {
        List<String> parked = layout.failed().isEmpty() ? List.of() : waiting.parked(connection, limit);
        if (!parked.isEmpty()) {
            Set<String> restored = new HashSet<>(parked);
            restored.removeAll(still(connection, parked, columns.failed()));
            waiting.remove(connection, restored);
        }
    }

    /** Messages that are not there any more, or not pending: somebody else has dealt with them. */
    void forgetGone(Connection connection, List<String> ids, Set<String> found) throws SQLException {
        List<String> missing = ids.stream().filter(id -> !found.contains(id)).toList();
        if (!missing.isEmpty()) {
            Set<String> gone = new HashSet<>(missing);
            gone.removeAll(still(connection, missing, columns.pending()));
            waiting.remove(connection, gone);
        }
    }

    private List<String> still(Connection connection, List<String> ids, String condition) throws SQLException {
        return Jdbc.query(connection, sql.selectIds(ids, condition), sql.ids().binder(ids), row -> row.getString(1));
    }

    /** The rows that a settlement speaks of. */
    List<String> places(Settlements settlements) {
        List<String> places = new ArrayList<>();
        settlements.dispatched().forEach(message -> places.add(message.place()));
        settlements.retries().forEach(retry -> places.add(retry.message().place()));
        settlements.failures().forEach(failure -> places.add(failure.message().place()));
        settlements.held().forEach(message -> places.add(message.place()));
        settlements.returned().forEach(message -> places.add(message.place()));
        return places;
    }

    private String fitting(String error) {
        int size = columns.size(ColumnMeaning.ERROR);
        String text = shortened(error);
        return size > 0 && text.length() > size ? text.substring(0, size) : text;
    }

    private static String shortened(String error) {
        String text = error.replace("\0", "");
        return text.length() <= MAX_ERROR ? text : text.substring(0, MAX_ERROR);
    }
}
