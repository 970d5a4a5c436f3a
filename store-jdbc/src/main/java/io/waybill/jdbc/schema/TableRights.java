package io.waybill.jdbc.schema;

import static java.util.stream.Collectors.joining;

import io.waybill.WaybillException;
import io.waybill.jdbc.sql.Dialect;
import io.waybill.jdbc.sql.Jdbc;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;

/** The least rights of a database user: printed as statements, or compared with what the user of a connection may do. */
public final class TableRights {

    /** PostgreSQL: insufficient privilege. */
    private static final String FORBIDDEN = "42501";

    /** MariaDB and MySQL: no right to the table, to the database, to a column. */
    private static final List<Integer> FORBIDDEN_CODES = List.of(1142, 1044, 1143);

    /** H2: not enough rights for an object. */
    private static final int FORBIDDEN_H2 = 90096;

    private final Dialect dialect;
    private final DatabaseRole role;
    private final List<Right> rights;

    private TableRights(Dialect dialect, DatabaseRole role, List<Right> rights) {
        this.dialect = dialect;
        this.role = role;
        this.rights = rights;
    }

    /** Rights to one table. */
    public record Right(String table, List<String> kinds) {}

    /** Of Waybill's own tables. */
    public static TableRights of(DatabaseRole role, Dialect dialect, String prefix) {
        List<Right> rights = new ArrayList<>(role.rights(prefix));
        if (dialect == Dialect.POSTGRESQL && (role == DatabaseRole.RELAY || role == DatabaseRole.APPLICATION)) {
            rights.add(1, new Right("SEQUENCE " + prefix + "outbox_id_seq", List.of("SELECT")));
        }
        return new TableRights(dialect, role, rights);
    }

    /** Of a relay on somebody else's table, and on what it keeps beside it. */
    public static TableRights ofRelay(Dialect dialect, String table, boolean removes, String prefix) {
        return new TableRights(
                dialect,
                DatabaseRole.RELAY,
                List.of(
                        new Right(table, removes ? List.of("SELECT", "UPDATE", "DELETE") : List.of("SELECT", "UPDATE")),
                        new Right(prefix + "relay_waiting", List.of("SELECT", "INSERT", "UPDATE", "DELETE")),
                        new Right(prefix + "relay_node", List.of("SELECT", "INSERT", "UPDATE", "DELETE")),
                        new Right(prefix + "relay_lease", List.of("SELECT", "INSERT", "UPDATE")),
                        new Right(prefix + "relay_paused_destination", List.of("SELECT")),
                        new Right(prefix + "relay_source", List.of("SELECT"))));
    }

    public List<Right> rights() {
        return rights;
    }

    /** The statements that give them. */
    public List<String> statements(String user) {
        if (role != DatabaseRole.MIGRATION) {
            return rights.stream().map(right -> grant(right, user)).toList();
        }
        return List.of(
                dialect.isMySql()
                        ? "GRANT SELECT, INSERT, UPDATE, CREATE, ALTER, INDEX ON * TO " + user
                        : "GRANT USAGE, CREATE ON SCHEMA public TO " + user);
    }

    private static String grant(Right right, String user) {
        return "GRANT " + String.join(", ", right.kinds()) + " ON " + right.table() + " TO " + user;
    }

    /**
     * Refuses a user that lacks any of them.
     *
     * @throws WaybillException that names every right that the user of these connections lacks, and how to give it
     */
    public void require(DataSource dataSource) {
        String lacking = lacking(dataSource);
        if (!lacking.isEmpty()) {
            throw new WaybillException(lacking);
        }
    }

    /** The rights that the user of these connections lacks and how to give them, in a sentence; empty when it has them all. */
    public String lacking(DataSource dataSource) {
        return new Jdbc(dataSource, dialect).autoCommit("look at the rights of the user", connection -> {
            List<Right> lacking = lacking(connection);
            return lacking.isEmpty() ? "" : sentence(user(connection), lacking);
        });
    }

    private String sentence(String user, List<Right> lacking) {
        return "The database user " + user + " lacks rights of the role " + role.label() + ". Grant them: "
                + lacking.stream().map(right -> grant(right, user)).collect(joining("; ")) + ".";
    }

    private String user(Connection connection) throws SQLException {
        return Jdbc.query(
                        connection,
                        dialect.isMySql()
                                ? "SELECT concat('''', replace(current_user(), '@', '''@'''), '''')"
                                : "SELECT quote_ident(current_user)",
                        none -> {},
                        row -> row.getString(1))
                .get(0);
    }

    /**
     * What the user of this connection may not do. A table that is not there is somebody else's concern; so is the history of the schema, which
     * only {@link Schema#apply} reads.
     */
    List<Right> lacking(Connection connection) throws SQLException {
        List<Right> lacking = new ArrayList<>();
        for (Right right : rights) {
            if (right.table().endsWith(SchemaHistory.TABLE)) {
                continue;
            }
            List<String> missing = new ArrayList<>();
            for (String kind : right.kinds()) {
                if (!has(connection, right.table(), kind)) {
                    missing.add(kind);
                }
            }
            if (!missing.isEmpty()) {
                lacking.add(new Right(right.table(), missing));
            }
        }
        return lacking;
    }

    /** Whether the user of this connection may read the table; a table that is known not to be there, too. */
    boolean mayRead(Connection connection, String table) throws SQLException {
        return has(connection, table, "SELECT");
    }

    /** PostgreSQL can be asked; elsewhere a statement that changes no row is refused all the same when it may not change any. */
    private boolean has(Connection connection, String table, String kind) throws SQLException {
        if (dialect == Dialect.POSTGRESQL) {
            String name = table.replace("SEQUENCE ", "");
            String function = name.equals(table) ? "has_table_privilege" : "has_sequence_privilege";
            return Jdbc.query(
                            connection,
                            "SELECT coalesce(" + function + "(to_regclass(?), ?), true)",
                            statement -> {
                                statement.setString(1, name);
                                statement.setString(2, kind);
                            },
                            row -> row.getBoolean(1))
                    .get(0);
        }
        try (var statement = connection.createStatement()) {
            statement.execute(probe(connection, table, kind));
            return true;
        } catch (SQLException e) {
            if (isForbidden(e)) {
                return false;
            }
            if (Tables.isMissing(e)) {
                return true;
            }
            throw e;
        }
    }

    private String probe(Connection connection, String table, String kind) throws SQLException {
        return switch (kind) {
            case "SELECT" -> "SELECT 1 FROM " + table + " WHERE 1 = 0";
            case "DELETE" -> "DELETE FROM " + table + " WHERE 1 = 0";
            case "INSERT" -> {
                String column = column(connection, table);
                // MariaDB complains of columns without a default even when there is no row.
                yield (dialect.isMySql() ? "INSERT IGNORE INTO " : "INSERT INTO ") + table + " (" + column + ") SELECT "
                        + column + " FROM " + table + " WHERE 1 = 0";
            }
            case "UPDATE" -> {
                String column = column(connection, table);
                yield "UPDATE " + table + " SET " + column + " = " + column + " WHERE 1 = 0";
            }
            default -> throw new IllegalArgumentException(kind);
        };
    }

    private static String column(Connection connection, String table) throws SQLException {
        String quote = connection.getMetaData().getIdentifierQuoteString();
        try (var statement = connection.createStatement();
                var rows = statement.executeQuery("SELECT * FROM " + table + " WHERE 1 = 0")) {
            return quote + rows.getMetaData().getColumnName(1) + quote;
        }
    }

    /** Whether the database refused it because the user lacks a right. */
    public static boolean isForbidden(SQLException e) {
        return FORBIDDEN.equals(e.getSQLState())
                || FORBIDDEN_CODES.contains(e.getErrorCode())
                || e.getErrorCode() == FORBIDDEN_H2;
    }
}
