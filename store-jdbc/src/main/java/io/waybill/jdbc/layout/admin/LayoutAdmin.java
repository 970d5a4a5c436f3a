package io.waybill.jdbc.layout.admin;

import static java.util.stream.Collectors.toList;

import io.waybill.Time;
import io.waybill.WaybillException;
import io.waybill.jdbc.internal.lease.JdbcPauses;
import io.waybill.jdbc.layout.admin.AdminSql.Direction;
import io.waybill.jdbc.layout.admin.AdminSql.Payloads;
import io.waybill.jdbc.layout.table.Layout;
import io.waybill.jdbc.layout.table.LayoutRows;
import io.waybill.jdbc.layout.table.LayoutRows.Row;
import io.waybill.jdbc.layout.table.LayoutSql;
import io.waybill.jdbc.layout.table.RefusedRows;
import io.waybill.jdbc.sql.Jdbc;
import io.waybill.message.Envelope;
import io.waybill.store.AttemptLog;
import io.waybill.store.admin.DestinationStats;
import io.waybill.store.admin.OutboxAdmin;
import io.waybill.store.admin.OutboxStatus;
import io.waybill.store.admin.Selection;
import io.waybill.store.admin.StoredMessage;
import io.waybill.store.outbox.ClaimedMessage.State;
import io.waybill.store.outbox.PausedDestination;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** An adopted table as an operator sees and changes it. What is discarded is removed: the table has no word for it. */
public final class LayoutAdmin implements OutboxAdmin {

    private static final int READ_AT_ONCE = 500;

    /** An id that was made of a row's number leads back to it for so many rows that were named or listed last. */
    private static final int MAX_NAMED = 10_000;

    private final Layout layout;
    private final Jdbc jdbc;
    private final AdminSql sql;
    private final LayoutRows rows;
    private final RefusedRows waiting;
    private final LayoutStats stats;
    private final JdbcPauses pauses;
    private final Time time;
    private final Map<UUID, String> named = Collections.synchronizedMap(new LinkedHashMap<>() {
        @Override
        protected boolean removeEldestEntry(Map.Entry<UUID, String> eldest) {
            return size() > MAX_NAMED;
        }
    });

    public LayoutAdmin(
            Layout layout,
            Jdbc jdbc,
            LayoutSql sql,
            LayoutRows rows,
            RefusedRows waiting,
            LayoutStats stats,
            JdbcPauses pauses,
            Time time) {
        this.layout = layout;
        this.jdbc = jdbc;
        this.sql = new AdminSql(layout, sql);
        this.rows = rows;
        this.waiting = waiting;
        this.stats = stats;
        this.pauses = pauses;
        this.time = time;
    }

    /** A row of the table, and where it is. */
    private record Found(String place, StoredMessage message) {}

    /** The id under which the message of this row is known here, for a selection. */
    public UUID named(String row) {
        UUID id = rows.id(row);
        named.put(id, row);
        return id;
    }

    @Override
    public List<DestinationStats> stats() {
        return jdbc.autoCommit("count the rows of " + layout.table(), stats::read);
    }

    @Override
    public List<PausedDestination> paused() {
        return pauses.all();
    }

    @Override
    public boolean pause(String destination, String reason, String operator) {
        return pauses.pause(destination, reason, operator);
    }

    @Override
    public boolean resume(String destination) {
        return pauses.resume(destination);
    }

    @Override
    public List<StoredMessage> list(Selection selection, long after, int limit) {
        return jdbc.autoCommit("list rows of " + layout.table(), connection -> {
            List<StoredMessage> found = new ArrayList<>();
            long from = after;
            List<Found> page;
            do {
                page = page(connection, selection, Direction.FORWARD, from, READ_AT_ONCE, Payloads.NONE);
                for (Found one : page) {
                    from = one.message().position();
                    if (found.size() < limit && matches(selection, one.message())) {
                        named.put(one.message().envelope().id(), one.place());
                        found.add(one.message());
                    }
                }
            } while (page.size() == READ_AT_ONCE && found.size() < limit);
            return found;
        });
    }

    @Override
    public long lastPosition() {
        return jdbc.autoCommit(
                "look for the last row of " + layout.table(),
                connection ->
                        page(connection, Selection.all(), Direction.BACKWARD, Long.MAX_VALUE, 1, Payloads.NONE).stream()
                                .mapToLong(one -> one.message().position())
                                .findFirst()
                                .orElse(0));
    }

    @Override
    public long count(Selection selection) {
        return list(selection, 0, Integer.MAX_VALUE).size();
    }

    @Override
    public Optional<StoredMessage> find(UUID id) {
        return jdbc.autoCommit(
                "look for a row of " + layout.table(),
                connection ->
                        page(connection, Selection.of(List.of(id)), Direction.FORWARD, 0, 1, Payloads.ALL).stream()
                                .findFirst()
                                .map(Found::message));
    }

    @Override
    public Batch replay(Selection selection, String note, long after, int limit) {
        return step("replay rows of ", selection, Direction.FORWARD, after, limit, (connection, some) -> {
            List<String> ids = some.stream()
                    .filter(one -> one.message().status().isReplayable())
                    .map(Found::place)
                    .collect(toList());
            for (String restoring : ids.isEmpty() ? List.<String>of() : sql.restore(ids)) {
                Jdbc.update(connection, restoring, sql.ids().binder(ids));
            }
            waiting.remove(connection, ids);
            return ids.size();
        });
    }

    @Override
    public Batch redirect(Selection selection, String destination, String note, long after, int limit) {
        throw asTheyAre();
    }

    @Override
    public boolean replay(Envelope edited, String note) {
        throw asTheyAre();
    }

    private WaybillException asTheyAre() {
        return new WaybillException("The table " + layout.table() + " (layout " + layout.name()
                + ") is written by its own application: its messages are sent as they are. Change the row there.");
    }

    @Override
    public Batch discard(Selection selection, String reason, long before, int limit) {
        return step("discard rows of ", selection, Direction.BACKWARD, before, limit, (connection, some) -> {
            List<String> ids = some.stream()
                    .filter(one -> one.message().status().isOpen())
                    .map(Found::place)
                    .collect(toList());
            if (!ids.isEmpty()) {
                Jdbc.update(connection, sql.remove(ids), sql.ids().binder(ids));
                waiting.remove(connection, ids);
            }
            return ids.size();
        });
    }

    @Override
    public boolean unblock(String destination, String partitionKey, String note) {
        var selection = Selection.of(OutboxStatus.WAITING, OutboxStatus.FAILED)
                .to(destination)
                .inOrderOf(partitionKey);
        long position = 0;
        int changed = 0;
        Batch batch;
        do {
            batch = replay(selection, note, position, READ_AT_ONCE);
            position = batch.position();
            changed += batch.changed();
        } while (batch.hasMore());
        return changed > 0;
    }

    @FunctionalInterface
    private interface Change {
        int of(Connection connection, List<Found> matching) throws SQLException;
    }

    private Batch step(String what, Selection selection, Direction direction, long from, int limit, Change change) {
        return jdbc.transaction(what + layout.table(), connection -> {
            List<Found> page = page(connection, selection, direction, from, limit, Payloads.NONE);
            List<Found> matching = page.stream()
                    .filter(one -> matches(selection, one.message()))
                    .toList();
            int changed = change.of(connection, matching);
            long last =
                    page.isEmpty() ? from : page.get(page.size() - 1).message().position();
            return new Batch(changed, last, page.size() == limit);
        });
    }

    private List<Found> page(
            Connection connection, Selection selection, Direction direction, long from, int limit, Payloads payloads)
            throws SQLException {
        List<String> places = selection.ids().stream().map(this::place).toList();
        boolean over = selection.statuses().isEmpty() || selection.statuses().contains(OutboxStatus.DISPATCHED);
        return Jdbc.query(
                connection,
                sql.page(direction, places, over, payloads),
                statement -> {
                    int next = places.isEmpty() ? 1 : sql.ids().bind(statement, 1, places);
                    statement.setLong(next, from);
                    statement.setInt(next + 1, limit);
                },
                this::read);
    }

    /** Rows are named by their own ids; an id that was made of a number does not lead back to it. */
    private String place(UUID id) {
        String place = named.get(id);
        if (place == null && sql.ids().areNumbers()) {
            throw new WaybillException("Rows of " + layout.table() + " are known by their own id, a number, not by "
                    + id + ". 'waybill outbox list' shows it as the position.");
        }
        return place == null ? id.toString() : place;
    }

    private Found read(ResultSet row) throws SQLException {
        Row read = rows.read(row, State.READY);
        return new Found(
                read.message().place(),
                new StoredMessage(
                        read.message().position(),
                        read.message().shard(),
                        OutboxStatus.valueOf(row.getString(12)),
                        read.message().attempts(),
                        row.getString(13),
                        ago(row, 15),
                        orNow(ago(row, 14)),
                        ago(row, 16),
                        read.message().envelope(),
                        0,
                        AttemptLog.NONE));
    }

    private @Nullable Instant ago(ResultSet row, int at) throws SQLException {
        long seconds = row.getLong(at);
        return row.wasNull() ? null : time.clock().instant().minusSeconds(seconds);
    }

    private Instant orNow(@Nullable Instant moment) {
        return moment == null ? time.clock().instant() : moment;
    }

    private boolean matches(Selection selection, StoredMessage message) {
        Envelope envelope = message.envelope();
        return !selection.retried()
                && (selection.statuses().isEmpty() || selection.statuses().contains(message.status()))
                && selection.idRange().stream().allMatch(range -> range.contains(envelope.id()))
                && isOrAny(selection.destination(), envelope.destination())
                && isOrAny(selection.type(), envelope.type())
                && isOrAny(selection.partitionKey(), envelope.partitionKey())
                && selection.includesError(message.error())
                && (selection.error().isEmpty()
                        || String.valueOf(message.error())
                                .toLowerCase(Locale.ROOT)
                                .contains(selection.error().toLowerCase(Locale.ROOT)))
                && !message.createdAt().isAfter(time.clock().instant().minus(selection.olderThan()));
    }

    private static boolean isOrAny(String wanted, String value) {
        return wanted.isEmpty() || wanted.equals(value);
    }
}
