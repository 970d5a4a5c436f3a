package io.waybill.jdbc.schema;

import io.waybill.jdbc.sql.Dialect;
import io.waybill.jdbc.sql.Jdbc;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Set;

/** What was applied by us. Tables that somebody else made are not in it, and count all the same. */
final class SchemaHistory {

    static final String TABLE = "waybill_schema";

    private static final String CREATE = """
            CREATE TABLE IF NOT EXISTS ${prefix}waybill_schema (
                version    VARCHAR(100) NOT NULL PRIMARY KEY,
                applied_at TIMESTAMP    NOT NULL DEFAULT CURRENT_TIMESTAMP
            )
            """;
    private static final String APPLIED = "SELECT version FROM ${prefix}waybill_schema";
    private static final String NOTE = "INSERT INTO ${prefix}waybill_schema (version) VALUES (?)";

    private final Dialect dialect;
    private final String prefix;

    SchemaHistory(Dialect dialect, String prefix) {
        this.dialect = dialect;
        this.prefix = prefix;
    }

    void create(Connection connection) throws SQLException {
        try (var statement = connection.createStatement()) {
            statement.execute(dialect.sql(CREATE, prefix));
        }
    }

    Set<String> read(Connection connection) throws SQLException {
        return new Tables(connection).exists(prefix + TABLE)
                ? Set.copyOf(Jdbc.query(connection, dialect.sql(APPLIED, prefix), none -> {}, row -> row.getString(1)))
                : Set.of();
    }

    void note(Connection connection, String script) throws SQLException {
        Jdbc.update(connection, dialect.sql(NOTE, prefix), statement -> statement.setString(1, script));
    }
}
