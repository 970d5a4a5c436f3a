package io.waybill.jdbc.layout.table;

import io.waybill.jdbc.sql.Dialect;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.DateTimeException;
import java.time.ZoneId;
import java.util.Optional;

/**
 * The time zone in which a database says {@code now()} to its application. That of our own connection tells nothing: a driver brings its
 * own zone.
 */
public final class DatabaseZone {

    private static final String OF_DATABASE = """
            SELECT split_part(entry, '=', 2)
              FROM (SELECT unnest(setconfig) AS entry, setdatabase FROM pg_db_role_setting
                     WHERE setrole = 0
                       AND setdatabase IN (0, (SELECT oid FROM pg_database WHERE datname = current_database()))) settings
             WHERE lower(entry) LIKE 'timezone=%' ORDER BY setdatabase DESC LIMIT 1
            """;

    /** Of the whole server; who is no superuser may not see it. */
    private static final String OF_SERVER = """
            SELECT setting FROM pg_file_settings WHERE lower(name) = 'timezone' AND applied
            """;

    private static final String OF_MYSQL = """
            SELECT IF(@@global.time_zone = 'SYSTEM', @@system_time_zone, @@global.time_zone)
            """;

    private DatabaseZone() {}

    /** The zone; nothing when the database does not tell it. */
    public static Optional<ZoneId> of(Connection connection, Dialect dialect) {
        return switch (dialect) {
            case POSTGRESQL -> asked(connection, OF_DATABASE).or(() -> asked(connection, OF_SERVER));
            case MARIADB, MYSQL -> asked(connection, OF_MYSQL);
            case H2 -> Optional.empty();
        };
    }

    private static Optional<ZoneId> asked(Connection connection, String query) {
        try (var statement = connection.createStatement();
                var row = statement.executeQuery(query)) {
            return row.next() ? Optional.of(ZoneId.of(row.getString(1))) : Optional.empty();
        } catch (SQLException | DateTimeException e) {
            return Optional.empty();
        }
    }
}
