package io.waybill.jdbc.internal.command;

import io.waybill.Time;
import io.waybill.command.execution.CommandOverException;
import io.waybill.command.store.CommandRecord;
import io.waybill.command.store.CommandStatus;
import io.waybill.command.store.CommandStore;
import io.waybill.jdbc.internal.sql.RoundTrips;
import io.waybill.jdbc.internal.sql.RowStatement;
import io.waybill.jdbc.internal.sql.Values;
import io.waybill.jdbc.sql.Dialect;
import io.waybill.jdbc.sql.Jdbc;
import io.waybill.jdbc.sql.Placeholders;
import io.waybill.store.Transaction;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

public final class JdbcCommandStore implements CommandStore {

    private static final String COLUMNS = """
            command_id, type, idempotency_key, business_key, correlation_id, attempt, payload, status, reply, timeout_at""";

    private static final String INSERT = """
            INSERT INTO ${prefix}command
                   (command_id, type, idempotency_key, business_key, correlation_id, attempt, payload, status, reply, timeout_at)
            VALUES ${rows}
            """;
    private static final String ROW = "(?, ?, ?, ?, ?, ?, ?, ?, ?, ${now_plus_millis})";

    private static final int MAX_ROWS = 200;

    private static final String ONE = """
            SELECT ${columns} FROM ${prefix}command WHERE command_id = ?
            """;
    private static final String LATEST = ONE + " ${latest}";
    private static final String SAME_KEY = """
            SELECT ${columns} FROM ${prefix}command WHERE idempotency_key = ? ${latest}
            """;
    private static final String END = """
            UPDATE ${prefix}command SET status = ?, reply = ?, updated_at = ${now}, timeout_at = NULL
             WHERE command_id = ? AND attempt = ? AND status IN ('PENDING', 'PROCESSING')
            """;
    private static final String BEGIN = """
            UPDATE ${prefix}command SET status = 'PENDING', reply = '', attempt = ?, updated_at = ${now}
             WHERE command_id = ? AND attempt < ? AND status <> 'COMPLETED'
            """;
    private static final String REFUSE = """
            UPDATE ${prefix}command SET status = 'FAILED', reply = ?, attempt = ${last}, updated_at = ${now}, timeout_at = NULL
             WHERE command_id = ? AND status <> 'COMPLETED'
            """;
    private static final String LOCK = """
            SELECT ${columns} FROM ${prefix}command WHERE command_id IN (${ids}) ORDER BY command_id FOR UPDATE
            """;
    private static final String OVER = """
            SELECT ${columns} FROM ${prefix}command WHERE command_id IN (${ids}) AND status IN ('COMPLETED', 'FAILED')
            """;
    private static final String PROCESSING = """
            UPDATE ${prefix}command SET status = 'PROCESSING', updated_at = ${now}
             WHERE command_id IN (${ids}) AND status = 'PENDING'
            """;
    private static final String OVERDUE = """
            SELECT ${columns} FROM ${prefix}command
             WHERE timeout_at <= (SELECT ${now_plus_millis}) AND status IN ('PENDING', 'PROCESSING')
             ORDER BY timeout_at LIMIT ?
            """;
    /** Those of a process stay as long as the process is there. */
    private static final String OLD = """
              FROM ${prefix}command c
             WHERE c.created_at < (SELECT ${now_plus_millis}) AND c.updated_at < (SELECT ${now_plus_millis})
               AND c.status IN ('COMPLETED', 'FAILED')
               AND 0 = (SELECT count(*) FROM ${prefix}process_instance p WHERE p.process_id = c.correlation_id)
            """;

    private static final String COUNT_OLD = "SELECT count(*)" + OLD;
    private static final String SOME_OLD = "SELECT c.command_id" + OLD + " ORDER BY c.created_at LIMIT ?";
    private static final String REMOVE = """
            DELETE FROM ${prefix}command WHERE command_id IN (${ids}) AND status IN ('COMPLETED', 'FAILED')
            """;

    private final Jdbc jdbc;
    private final Dialect dialect;
    private final String prefix;
    private final RoundTrips roundTrips;
    private final Time time;
    private final String end;
    private final RowStatement insertNew;
    private final RowStatement complete;

    public JdbcCommandStore(DataSource dataSource, Dialect dialect, String prefix, RoundTrips roundTrips, Time time) {
        this.jdbc = new Jdbc(dataSource, dialect);
        this.dialect = dialect;
        this.prefix = prefix;
        this.roundTrips = roundTrips;
        this.time = time;
        this.end = sql(END);
        this.insertNew = RowStatement.insert(sql(INSERT.replace("${rows}", "")), sql(ROW));
        this.complete = RowStatement.update(end);
    }

    @Override
    public Optional<CommandRecord> insert(Transaction transaction, CommandRecord command) {
        return Jdbc.in(transaction, "accept command " + command.commandId(), connection -> {
            if (insertIfMissing(connection, command)) {
                return Optional.empty();
            }
            return same(connection, command);
        });
    }

    /** The row that was in the way, as it is now: a snapshot of before it was committed would not show it. */
    private Optional<CommandRecord> same(Connection connection, CommandRecord command) throws SQLException {
        List<CommandRecord> byKey = Jdbc.query(
                connection, sql(SAME_KEY), statement -> statement.setString(1, command.idempotencyKey()), this::read);
        return !byKey.isEmpty() ? Optional.of(byKey.get(0)) : latest(connection, command.commandId());
    }

    @Override
    public void insertNew(Transaction transaction, List<CommandRecord> commands) {
        Jdbc.in(transaction, "write " + commands.size() + " commands", connection -> {
            if (roundTrips.isOpen() || commands.size() == 1) {
                for (CommandRecord command : commands) {
                    roundTrips.write(connection, insertNew, values(command));
                }
            } else {
                for (int from = 0; from < commands.size(); from += MAX_ROWS) {
                    write(connection, commands.subList(from, Math.min(commands.size(), from + MAX_ROWS)));
                }
            }
            return commands;
        });
    }

    private boolean insertIfMissing(Connection connection, CommandRecord command) throws SQLException {
        return Jdbc.insertIfMissing(
                connection,
                dialect,
                sql(INSERT.replace("${rows}", ROW)),
                statement -> values(command).bind(dialect, statement, 1));
    }

    private void write(Connection connection, List<CommandRecord> commands) throws SQLException {
        String rows = String.join(", ", Collections.nCopies(commands.size(), ROW));
        Jdbc.update(connection, sql(INSERT.replace("${rows}", rows)), statement -> {
            int at = 1;
            for (CommandRecord command : commands) {
                at = values(command).bind(dialect, statement, at);
            }
        });
    }

    private Values values(CommandRecord command) {
        return new Values()
                .and(command.commandId())
                .and(command.type())
                .and(command.idempotencyKey())
                .and(command.businessKey())
                .and(command.correlationId())
                .and(command.attempt())
                .and(command.payload())
                .and(command.status())
                .and(command.reply())
                .and(millisLeft(command.timeoutAt()));
    }

    private @Nullable Long millisLeft(@Nullable Instant timeout) {
        return timeout == null
                ? null
                : Duration.between(time.clock().instant(), timeout)
                        .plus(time.offset())
                        .toMillis();
    }

    @Override
    public boolean end(Transaction transaction, UUID commandId, int attempt, CommandStatus status, String reply) {
        return Jdbc.in(transaction, "end command " + commandId, connection -> {
                    roundTrips.flush();
                    return Jdbc.update(
                            connection,
                            end,
                            statement ->
                                    values(commandId, attempt, status, reply).bind(dialect, statement, 1));
                })
                == 1;
    }

    @Override
    public void complete(Transaction transaction, UUID commandId, int attempt, String reply) {
        Jdbc.in(transaction, "complete command " + commandId, connection -> {
            roundTrips.writeOne(
                    connection,
                    complete,
                    values(commandId, attempt, CommandStatus.COMPLETED, reply),
                    () -> new CommandOverException(commandId, attempt));
            return commandId;
        });
    }

    private static Values values(UUID commandId, int attempt, CommandStatus status, String reply) {
        return new Values().and(status).and(reply).and(commandId).and(attempt);
    }

    @Override
    public boolean begin(Transaction transaction, UUID commandId, int attempt) {
        return Jdbc.in(transaction, "begin attempt " + attempt + " of command " + commandId, connection -> {
                    roundTrips.flush();
                    return Jdbc.update(connection, sql(BEGIN), statement -> {
                        statement.setInt(1, attempt);
                        statement.setObject(2, commandId);
                        statement.setInt(3, attempt);
                    });
                })
                == 1;
    }

    @Override
    public Optional<CommandRecord> refuse(Transaction transaction, CommandRecord command) {
        return Jdbc.in(transaction, "refuse command " + command.commandId(), connection -> {
            boolean refused = insertIfMissing(connection, command)
                    || Jdbc.update(connection, sql(REFUSE), statement -> {
                                statement.setString(1, command.reply());
                                statement.setObject(2, command.commandId());
                            })
                            == 1;
            return refused ? Optional.empty() : latest(connection, command.commandId());
        });
    }

    private Optional<CommandRecord> latest(Connection connection, UUID commandId) throws SQLException {
        return Jdbc.query(connection, sql(LATEST), statement -> statement.setObject(1, commandId), this::read).stream()
                .findFirst();
    }

    @Override
    public List<CommandRecord> lock(Transaction transaction, Collection<UUID> commandIds) {
        return Jdbc.in(transaction, "lock " + commandIds.size() + " commands", connection -> {
            roundTrips.flush();
            return Jdbc.query(
                    connection,
                    sql(LOCK.replace("${ids}", Placeholders.of(commandIds))),
                    statement -> Placeholders.bind(statement, 1, commandIds),
                    this::read);
        });
    }

    @Override
    public Optional<CommandRecord> find(UUID commandId) {
        return jdbc
                .autoCommit(
                        "look for command " + commandId,
                        connection -> Jdbc.query(
                                connection, sql(ONE), statement -> statement.setObject(1, commandId), this::read))
                .stream()
                .findFirst();
    }

    @Override
    public List<CommandRecord> over(Collection<UUID> commandIds) {
        return jdbc.autoCommit(
                "look for replies",
                connection -> Jdbc.query(
                        connection,
                        sql(OVER.replace("${ids}", Placeholders.of(commandIds))),
                        statement -> Placeholders.bind(statement, 1, commandIds),
                        this::read));
    }

    @Override
    public void processing(Collection<UUID> commandIds) {
        jdbc.autoCommit(
                "note that commands take more than one commit",
                connection -> Jdbc.update(
                        connection,
                        sql(PROCESSING.replace("${ids}", Placeholders.of(commandIds))),
                        statement -> Placeholders.bind(statement, 1, commandIds)));
    }

    @Override
    public List<CommandRecord> overdue(int limit) {
        return jdbc.autoCommit(
                "look for commands that have timed out",
                connection -> Jdbc.query(
                        connection,
                        sql(OVERDUE),
                        statement -> {
                            statement.setLong(1, time.offset().toMillis());
                            statement.setInt(2, limit);
                        },
                        this::read));
    }

    @Override
    public long countOver(Duration olderThan) {
        long millis = time.offset().minus(olderThan).toMillis();
        return jdbc.autoCommit(
                "count old commands",
                connection -> Jdbc.query(
                                connection,
                                sql(COUNT_OLD),
                                statement -> {
                                    statement.setLong(1, millis);
                                    statement.setLong(2, millis);
                                },
                                row -> row.getLong(1))
                        .get(0));
    }

    @Override
    public int removeOver(Duration olderThan, int limit) {
        long millis = time.offset().minus(olderThan).toMillis();
        return jdbc.transaction("remove old commands", connection -> {
            List<UUID> ids = Jdbc.query(
                    connection,
                    sql(SOME_OLD),
                    statement -> {
                        statement.setLong(1, millis);
                        statement.setLong(2, millis);
                        statement.setInt(3, limit);
                    },
                    row -> row.getObject(1, UUID.class));
            return Placeholders.update(connection, sql(REMOVE), ids);
        });
    }

    private CommandRecord read(ResultSet row) throws SQLException {
        return new CommandRecord(
                row.getObject(1, UUID.class),
                row.getString(2),
                row.getString(3),
                row.getString(4),
                row.getObject(5, UUID.class),
                row.getInt(6),
                row.getString(7),
                CommandStatus.valueOf(row.getString(8)),
                row.getString(9),
                timeout(row));
    }

    private @Nullable Instant timeout(ResultSet row) throws SQLException {
        return row.getObject(10) == null ? null : dialect.instant(row, 10);
    }

    private String sql(String template) {
        return dialect.sql(
                template.replace("${columns}", COLUMNS).replace("${last}", String.valueOf(Integer.MAX_VALUE)), prefix);
    }
}
