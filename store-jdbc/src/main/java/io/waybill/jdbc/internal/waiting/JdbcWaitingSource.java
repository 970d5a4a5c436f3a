package io.waybill.jdbc.internal.waiting;

import io.waybill.Time;
import io.waybill.jdbc.internal.admin.OutboxCounts;
import io.waybill.jdbc.internal.admin.OutboxCounts.Count;
import io.waybill.jdbc.internal.lease.JdbcPauses;
import io.waybill.jdbc.internal.sql.PermittedReads;
import io.waybill.jdbc.ops.StoredBacklog;
import io.waybill.jdbc.sql.Dialect;
import io.waybill.jdbc.sql.Jdbc;
import io.waybill.observe.WaitingItem;
import io.waybill.observe.WaitingSource;
import io.waybill.store.failed.FailedSelection;
import io.waybill.store.failed.FailedState;
import io.waybill.store.failed.FailedStore;
import io.waybill.store.failed.FailureGroup;
import io.waybill.store.outbox.PausedDestination;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** What the tables tell about what waits. Of a table that may be large, only what an index finds is read, and not more than a bound. */
public final class JdbcWaitingSource implements WaitingSource {

    private static final String NOW = "SELECT ${now}";

    private final Jdbc jdbc;
    private final Dialect dialect;
    private final String prefix;
    private final FailedStore failed;
    private final JdbcPauses pauses;
    private final OutboxCounts counts;
    private final Time time;
    private final Duration patience;

    private final PermittedReads permitted;

    /** @param patience how long a message may wait before that is unusual; a reply or a step may wait five times as long */
    public JdbcWaitingSource(
            DataSource dataSource, Dialect dialect, String prefix, FailedStore failed, Time time, Duration patience) {
        this.jdbc = new Jdbc(dataSource, dialect);
        this.dialect = dialect;
        this.prefix = prefix;
        this.failed = failed;
        this.pauses = new JdbcPauses(jdbc, dialect, prefix);
        this.counts = new OutboxCounts(dialect, prefix);
        this.time = time;
        this.patience = patience;
        this.permitted = new PermittedReads(time);
    }

    /**
     * What a statement found, grouped by name.
     *
     * @param until when something is due, or the latest of them began; what it means depends on the statement
     * @param note more, which depends on the statement
     */
    record Found(
            String name,
            long count,
            Instant since,
            @Nullable Instant until,
            String note) {}

    /** Whether something has waited for too long, by the time of the database. */
    record Judge(Instant now, Duration offset, Duration patience) {

        /** What it waits for nothing but us. */
        boolean isLate(Instant since) {
            return since.isBefore(now.minus(patience));
        }

        /** What others take their time for. */
        boolean isVeryLate(Instant since) {
            return since.isBefore(now.minus(patience.multipliedBy(5)));
        }

        boolean isOverdue(@Nullable Instant due) {
            return due != null && due.isBefore(now.plus(offset).minus(patience));
        }
    }

    @Override
    public List<WaitingItem> waiting() {
        return backlog().waiting();
    }

    /** What waits, with the counts that were read for it. */
    public StoredBacklog backlog() {
        StoredBacklog found = jdbc.autoCommit("look for what waits", connection -> {
            var judge = new Judge(now(connection), time.offset(), patience);
            List<Count> messages = permitted.orElse("messages", List.of(), () -> counts.read(connection));
            var waiting =
                    new ArrayList<>(new WaitingMessages(this, judge, messages, paused(connection)).in(connection));
            waiting.addAll(new WaitingProcesses(this, judge).in(connection));
            return new StoredBacklog(OutboxCounts.byDestination(messages), waiting);
        });
        List<WaitingItem> all = new ArrayList<>(found.waiting());
        all.addAll(handlers());
        return new StoredBacklog(found.destinations(), all);
    }

    /** What handlers could not handle waits for a person. */
    private List<WaitingItem> handlers() {
        Map<String, WaitingItem> byHandler = new TreeMap<>();
        for (FailureGroup group : failures()) {
            byHandler.merge(
                    group.handler(),
                    WaitingItem.of(
                            WaitingItem.Kind.HANDLER,
                            group.handler(),
                            group.count(),
                            group.first(),
                            true,
                            group.count() + " messages could not be handled, the most frequent reason is "
                                    + group.kind(),
                            FailedState.FAILED.endedBy() + ": waybill failed groups"),
                    JdbcWaitingSource::together);
        }
        return List.copyOf(byHandler.values());
    }

    private List<FailureGroup> failures() {
        return permitted.orElse("failed messages", List.of(), () -> failed.groups(FailedSelection.all()));
    }

    private List<PausedDestination> paused(Connection connection) throws SQLException {
        return permitted.orElse("paused destinations", List.of(), () -> pauses.all(connection));
    }

    /** The larger group comes first. */
    private static WaitingItem together(WaitingItem most, WaitingItem more) {
        long count = most.count() + more.count();
        Instant first = most.begun().orElseThrow();
        Instant other = more.begun().orElseThrow();
        return WaitingItem.of(
                most.kind(),
                most.name(),
                count,
                first.isBefore(other) ? first : other,
                true,
                most.why().replaceFirst("^\\d+", String.valueOf(count)),
                most.endedBy());
    }

    private Instant now(Connection connection) throws SQLException {
        return query(connection, NOW, List.of(), row -> dialect.instant(row, 1)).get(0);
    }

    /** Reads rows of name, count, since, until and note. */
    List<Found> found(Connection connection, String template, List<Long> values) throws SQLException {
        return query(
                connection,
                template,
                values,
                row -> new Found(
                        row.getString(1), row.getLong(2), dialect.instant(row, 3), moment(row, 4), row.getString(5)));
    }

    @Nullable
    Instant moment(ResultSet row, int column) throws SQLException {
        return row.getObject(column) == null ? null : dialect.instant(row, column);
    }

    <T> List<T> query(Connection connection, String template, List<Long> values, Jdbc.Reader<T> reader)
            throws SQLException {
        return permitted.orElse(
                template,
                List.of(),
                () -> Jdbc.query(
                        connection,
                        dialect.sql(template, prefix),
                        statement -> {
                            for (int i = 0; i < values.size(); i++) {
                                statement.setLong(i + 1, values.get(i));
                            }
                        },
                        reader));
    }

    Instant instant(ResultSet row, int column) throws SQLException {
        return dialect.instant(row, column);
    }
}
