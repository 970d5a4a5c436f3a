package io.waybill.jdbc.sql;

import io.waybill.WaybillException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** A database product, and the few words in which its SQL differs. What differs in more than words is a class of its own. */
public enum Dialect {
    POSTGRESQL(
            "postgresql",
            "clock_timestamp()",
            "clock_timestamp() + ? * interval '1 millisecond'",
            "",
            "(CASE WHEN o.partition_key = '' THEN o.id ELSE hashtextextended(o.partition_key, 0) END & 63)"),
    MARIADB(
            "mysql",
            "UTC_TIMESTAMP(6)",
            "UTC_TIMESTAMP(6) + INTERVAL (? * 1000) MICROSECOND",
            "utf8mb4_nopad_bin",
            "o.shard"),
    MYSQL(
            "mysql",
            "UTC_TIMESTAMP(6)",
            "UTC_TIMESTAMP(6) + INTERVAL (? * 1000) MICROSECOND",
            "utf8mb4_0900_bin",
            "o.shard"),
    H2("h2", "CURRENT_TIMESTAMP", "DATEADD(MILLISECOND, CAST(? AS BIGINT), CURRENT_TIMESTAMP)", "", "o.shard");

    private final String folder;
    private final String now;
    private final String nowPlusMillis;
    private final String collation;
    private final String shard;

    Dialect(String folder, String now, String nowPlusMillis, String collation, String shard) {
        this.folder = folder;
        this.now = now;
        this.nowPlusMillis = nowPlusMillis;
        this.collation = collation;
        this.shard = shard;
    }

    /** The folder of its DDL, and its name on the command line. */
    public String folder() {
        return folder;
    }

    public boolean isMySql() {
        return this == MARIADB || this == MYSQL;
    }

    /** A statement in this dialect, with its tables' prefix. {@code ${shard}} is that of a row of {@code outbox o}. */
    public String sql(String template, String prefix) {
        return template.replace("${prefix}", prefix)
                .replace("${now}", now)
                .replace("${now_plus_millis}", nowPlusMillis)
                .replace("${collation}", collation)
                .replace("${shard}", shard)
                .replace("${latest}", latest());
    }

    /**
     * Makes a query show what is committed now. MySQL's default isolation shows the past to a transaction that has read before, unless
     * it locks what it reads.
     */
    private String latest() {
        return isMySql() ? "LOCK IN SHARE MODE" : "";
    }

    /** A moment from a column of this database; MySQL's have no zone and hold UTC. */
    public Instant instant(ResultSet row, int column) throws SQLException {
        return isMySql()
                ? row.getObject(column, LocalDateTime.class).toInstant(ZoneOffset.UTC)
                : row.getObject(column, OffsetDateTime.class).toInstant();
    }

    /** Sets a parameter to a moment, or to nothing. */
    public void bind(PreparedStatement statement, int at, @Nullable Instant moment) throws SQLException {
        if (moment == null) {
            statement.setNull(at, isMySql() ? Types.TIMESTAMP : Types.TIMESTAMP_WITH_TIMEZONE);
        } else if (isMySql()) {
            statement.setObject(at, LocalDateTime.ofInstant(moment, ZoneOffset.UTC));
        } else {
            statement.setObject(at, moment.atOffset(ZoneOffset.UTC));
        }
    }

    /** The database behind a connection. */
    public static Dialect of(Connection connection) throws SQLException {
        String product = connection.getMetaData().getDatabaseProductName();
        return switch (product.toLowerCase(Locale.ROOT)) {
            case "postgresql" -> POSTGRESQL;
            case "mariadb" -> MARIADB;
            case "mysql" -> connection.getMetaData().getDatabaseProductVersion().contains("MariaDB") ? MARIADB : MYSQL;
            case "h2" -> H2;
            default ->
                throw new WaybillException("Waybill does not know the database '" + product
                        + "'. It works on PostgreSQL 13 and newer, MariaDB 10.6 and newer, MySQL 8.0.19 and newer, and H2 2.2 and"
                        + " newer.");
        };
    }
}
