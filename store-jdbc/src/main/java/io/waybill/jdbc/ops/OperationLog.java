package io.waybill.jdbc.ops;

import io.waybill.WaybillException;
import io.waybill.jdbc.schema.Tables;
import io.waybill.jdbc.sql.Dialect;
import io.waybill.jdbc.sql.Jdbc;
import io.waybill.message.UuidV7;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Who changed what from outside the application, and why.
 *
 * <p><i>Transaction:</i> an entry is committed before the change begins, so that nothing is changed without one; a change of many rows
 * has many transactions. Its result is written afterwards.
 */
public final class OperationLog {

    private static final String BEGIN = """
            INSERT INTO ${prefix}operation_log
                   (operation_id, started_at, seen_at, operator, database_user, command, reason, request, result)
            VALUES (?, ${now}, ${now}, ?, CURRENT_USER, ?, ?, ?, '')
            """;
    private static final String SEEN = """
            UPDATE ${prefix}operation_log SET seen_at = ${now}, result = ? WHERE operation_id = ? AND ended_at IS NULL
            """;
    private static final String END = """
            UPDATE ${prefix}operation_log SET ended_at = ${now}, result = ? WHERE operation_id = ?
            """;
    private static final String LATEST = """
            SELECT operation_id, started_at, ended_at, operator, database_user, command, reason, result, request,
                   CASE WHEN ended_at IS NULL AND COALESCE(seen_at, started_at) < (SELECT ${now_plus_millis}) THEN 1 ELSE 0 END
              FROM ${prefix}operation_log WHERE started_at < ? ORDER BY started_at DESC, operation_id DESC LIMIT ?
            """;
    private static final String END_INTERRUPTED = """
            UPDATE ${prefix}operation_log SET ended_at = ${now}, result = ?
             WHERE operation_id = ? AND ended_at IS NULL AND COALESCE(seen_at, started_at) < ${now_plus_millis}
            """;
    /** Its process says every second that it lives. */
    private static final long GONE_AFTER_MILLIS = 5_000;

    private static final Instant END_OF_TIME = Instant.parse("9999-01-01T00:00:00Z");

    private final Jdbc jdbc;
    private final Dialect dialect;
    private final String prefix;

    public OperationLog(DataSource dataSource, Dialect dialect, String prefix) {
        this.jdbc = new Jdbc(dataSource, dialect);
        this.dialect = dialect;
        this.prefix = prefix;
    }

    /**
     * An entry.
     *
     * @param endedAt null while it goes on, or when it was interrupted
     * @param operator who it was, as the machine knows them
     * @param databaseUser as whom the database knew them
     * @param result what became of it; as long as it has not ended how far it is, or nothing
     * @param request what does the rest of it when it was interrupted; empty when it has to be started by hand
     * @param interrupted whether its process has ended without ending it
     */
    public record Entry(
            UUID id,
            Instant startedAt,
            @Nullable Instant endedAt,
            String operator,
            String databaseUser,
            String command,
            String reason,
            String result,
            String request,
            boolean interrupted) {}

    /**
     * What an entry says from its beginning.
     *
     * @param request what does the rest of it when it is interrupted, in the words of the program that runs it; or nothing
     */
    public record Begin(UUID id, String operator, String command, String reason, String request) {}

    /** An operation that has its entry. Until it is run, the entry says that it goes on. */
    public final class Running {

        private final UUID id;
        private final OperationHeartbeat heartbeat;

        private Running(UUID id) {
            this.id = id;
            this.heartbeat = OperationHeartbeat.start(
                    soFar -> update("write down the progress of an operation", SEEN, soFar, id));
        }

        /**
         * Does the work and ends the entry. What the work has said of its progress until the last second stays in the entry when the process is
         * killed.
         *
         * @param work is given whom to tell how far it is, and returns its result in words
         */
        public void run(Function<Consumer<String>, String> work) {
            String result;
            try (heartbeat) {
                result = work.apply(heartbeat::progress);
            } catch (RuntimeException | Error e) {
                endFailed(id, e);
                throw e;
            }
            end(id, result);
        }
    }

    /**
     * Does the work between the two halves of its entry.
     *
     * @param work returns its result in words
     */
    public void write(String operator, String command, String reason, Supplier<String> work) {
        begin(new Begin(UuidV7.SYSTEM.get(), operator, command, reason, "")).run(progress -> work.get());
    }

    /** Writes the first half of an entry; the caller has to run it. */
    public Running begin(Begin begin) {
        jdbc.autoCommit("write down an operation", connection -> insert(connection, begin));
        return new Running(begin.id());
    }

    /**
     * The same for the rest of an operation that was interrupted, whose entry ends in the same commit: it is neither lost nor begun twice.
     *
     * @param ended what the entry of the interrupted one says from now on
     * @throws WaybillException when it is not interrupted, or somebody else has begun its rest
     */
    public Running beginRest(Begin begin, UUID interrupted, String ended) {
        jdbc.transaction("begin the rest of an operation", connection -> {
            int found = Jdbc.update(connection, dialect.sql(END_INTERRUPTED, prefix), statement -> {
                statement.setString(1, ended);
                statement.setObject(2, interrupted);
                statement.setLong(3, -GONE_AFTER_MILLIS);
            });
            if (found == 0) {
                throw new WaybillException("The operation " + interrupted
                        + " is not interrupted: it goes on, or somebody has started its rest. Nothing was changed.");
            }
            return insert(connection, begin);
        });
        return new Running(begin.id());
    }

    private int insert(Connection connection, Begin begin) throws SQLException {
        return update(
                connection, BEGIN, begin.id(), begin.operator(), begin.command(), begin.reason(), begin.request());
    }

    /** Whether the database has it: not where nothing but tables of others is served. */
    public boolean isThere() {
        return jdbc.autoCommit(
                "look for the operation log", connection -> new Tables(connection).exists(prefix + "operation_log"));
    }

    private void end(UUID id, String result) {
        update("write down the result of an operation", END, result, id);
    }

    /** The database may be what failed. */
    private void endFailed(UUID id, Throwable because) {
        try {
            end(id, "It failed: " + because.getMessage());
        } catch (WaybillException e) {
            because.addSuppressed(e);
        }
    }

    private void update(String what, String template, Object... values) {
        jdbc.autoCommit(what, connection -> update(connection, template, values));
    }

    private int update(Connection connection, String template, Object... values) throws SQLException {
        return Jdbc.update(connection, dialect.sql(template, prefix), statement -> {
            for (int i = 0; i < values.length; i++) {
                statement.setObject(i + 1, values[i]);
            }
        });
    }

    /** The latest, the last one first. */
    public List<Entry> latest(int limit) {
        return before(END_OF_TIME, limit);
    }

    /** Those among the latest that were interrupted, the last one first. */
    public List<Entry> interrupted(int among) {
        return latest(among).stream().filter(Entry::interrupted).toList();
    }

    /** Those that began before this time, the last one first. */
    public List<Entry> before(Instant time, int limit) {
        return jdbc.autoCommit(
                "list operations",
                connection -> Jdbc.query(
                        connection,
                        dialect.sql(LATEST, prefix),
                        statement -> {
                            statement.setLong(1, -GONE_AFTER_MILLIS);
                            dialect.bind(statement, 2, time);
                            statement.setInt(3, limit);
                        },
                        this::read));
    }

    private Entry read(ResultSet row) throws SQLException {
        return new Entry(
                row.getObject(1, UUID.class),
                dialect.instant(row, 2),
                row.getObject(3) == null ? null : dialect.instant(row, 3),
                row.getString(4),
                row.getString(5),
                row.getString(6),
                row.getString(7),
                row.getString(8),
                Optional.ofNullable(row.getString(9)).orElse(""),
                row.getInt(10) == 1);
    }
}
