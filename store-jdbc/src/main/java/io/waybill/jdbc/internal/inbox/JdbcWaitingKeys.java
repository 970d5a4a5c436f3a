package io.waybill.jdbc.internal.inbox;

import io.waybill.jdbc.sql.Dialect;
import io.waybill.jdbc.sql.Jdbc;
import io.waybill.jdbc.sql.Placeholders;
import io.waybill.message.StorableMessage;
import io.waybill.store.Transaction;
import io.waybill.store.inbox.WaitingKeys;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Collection;
import java.util.Set;

public final class JdbcWaitingKeys implements WaitingKeys {

    private static final String ONE_MORE = """
            UPDATE ${prefix}waiting_key SET messages = messages + 1 WHERE destination = ? AND partition_key = ?
            """;
    private static final String FIRST = """
            INSERT INTO ${prefix}waiting_key (destination, partition_key, messages) VALUES (?, ?, 0)
            """;
    private static final String LAST_GONE = """
            DELETE FROM ${prefix}waiting_key WHERE destination = ? AND partition_key = ? AND messages <= 1
            """;
    private static final String ONE_LESS = """
            UPDATE ${prefix}waiting_key SET messages = messages - 1 WHERE destination = ? AND partition_key = ?
            """;
    private static final String AMONG = """
            SELECT partition_key FROM ${prefix}waiting_key WHERE destination = ? AND partition_key IN (${keys}) ${latest}
            """;

    private static final String LOCK_ALL = """
            SELECT messages FROM ${prefix}waiting_key WHERE destination = ? AND partition_key = '' ${lock}
            """;
    private static final String REMOVE_ALL = """
            DELETE FROM ${prefix}waiting_key WHERE destination = ? AND partition_key = ''
            """;
    private static final String UNCOUNTED = """
            (SELECT o.id FROM ${prefix}outbox o
              WHERE o.status = 'PENDING' AND o.available_at IS NULL AND o.destination = ? AND o.headers NOT LIKE ? LIMIT 1)
             UNION ALL
            (SELECT o.id FROM ${prefix}outbox o
              WHERE o.status = 'PENDING' AND o.available_at IS NOT NULL AND o.destination = ? AND o.headers NOT LIKE ? LIMIT 1)
             UNION ALL
            (SELECT o.id FROM ${prefix}outbox o
              WHERE o.status IN ('HELD', 'FAILED') AND o.destination = ? AND o.headers NOT LIKE ? LIMIT 1)
            """;

    private final Dialect dialect;
    private final String prefix;

    public JdbcWaitingKeys(Dialect dialect, String prefix) {
        this.dialect = dialect;
        this.prefix = prefix;
    }

    @Override
    public void add(Transaction transaction, String destination, String partitionKey) {
        in(transaction, partitionKey, connection -> {
            int known = Jdbc.update(connection, sql(ONE_MORE), key(destination, partitionKey));
            if (known == 0) {
                Jdbc.insertIfMissing(connection, dialect, sql(FIRST), key(destination, partitionKey));
                known = Jdbc.update(connection, sql(ONE_MORE), key(destination, partitionKey));
            }
            return known;
        });
    }

    @Override
    public void remove(Transaction transaction, String destination, String partitionKey) {
        in(transaction, partitionKey, connection -> {
            int gone = Jdbc.update(connection, sql(LAST_GONE), key(destination, partitionKey));
            return gone == 1 ? gone : Jdbc.update(connection, sql(ONE_LESS), key(destination, partitionKey));
        });
    }

    /** Those who store share the lock on the row. One that was inserted by another meanwhile is not locked yet. */
    @Override
    public void addAll(Transaction transaction, String destination) {
        in(transaction, "every key", connection -> {
            boolean held = false;
            while (!held) {
                held = isThere(connection, destination, shared())
                        || Jdbc.insertIfMissing(connection, dialect, sql(FIRST), key(destination, ALL));
            }
            return held;
        });
    }

    /** The lock waits for those who store; what they have committed is seen after it. */
    @Override
    public boolean removeAll(Transaction transaction, String destination, String counted) {
        return in(transaction, "every key", connection -> {
            if (!isThere(connection, destination, "FOR UPDATE")) {
                return true;
            }
            if (isUncountedLeft(connection, destination, counted)) {
                return false;
            }
            Jdbc.update(connection, sql(REMOVE_ALL), statement -> statement.setString(1, destination));
            return true;
        });
    }

    private boolean isThere(Connection connection, String destination, String lock) throws SQLException {
        return !Jdbc.query(
                        connection,
                        sql(LOCK_ALL.replace("${lock}", lock)),
                        statement -> statement.setString(1, destination),
                        row -> row.getLong(1))
                .isEmpty();
    }

    private boolean isUncountedLeft(Connection connection, String destination, String counted) throws SQLException {
        return !Jdbc.query(
                        connection,
                        sql(UNCOUNTED),
                        statement -> {
                            for (int at = 1; at < 6; at += 2) {
                                statement.setString(at, destination);
                                statement.setString(at + 1, "%\"" + counted + "\"%");
                            }
                        },
                        row -> row.getLong(1))
                .isEmpty();
    }

    private String shared() {
        return switch (dialect) {
            case POSTGRESQL -> "FOR SHARE";
            case MARIADB, MYSQL -> "LOCK IN SHARE MODE";
            case H2 -> "FOR UPDATE";
        };
    }

    @Override
    public Set<String> among(Transaction transaction, String destination, Collection<String> partitionKeys) {
        return StorableMessage.among(
                partitionKeys,
                names -> in(
                        transaction,
                        names.size() + " keys",
                        connection -> Set.copyOf(Jdbc.query(
                                connection,
                                sql(AMONG.replace("${keys}", Placeholders.of(names))),
                                statement -> {
                                    statement.setString(1, destination);
                                    Placeholders.bind(statement, 2, names);
                                },
                                row -> row.getString(1)))));
    }

    private static Jdbc.Binder key(String destination, String partitionKey) {
        return statement -> {
            statement.setString(1, destination);
            statement.setString(2, StorableMessage.name(partitionKey));
        };
    }

    private static <T> T in(Transaction transaction, String keys, Jdbc.Work<T> work) {
        return Jdbc.in(transaction, "count what waits of " + keys, work);
    }

    private String sql(String template) {
        return dialect.sql(template, prefix);
    }
}
