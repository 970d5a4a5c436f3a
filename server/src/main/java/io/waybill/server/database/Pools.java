package io.waybill.server.database;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.sql.SQLException;
import java.util.Properties;

/** Connections to a database. */
public final class Pools {

    /** How long a server that does not answer may keep us. */
    private static final int CONNECT_SECONDS = 10;

    private Pools() {}

    /** The first connection is made without the pool, which would only say that it failed. */
    public static HikariDataSource connected(DatabaseUrl database) throws SQLException {
        Properties properties = database.properties();
        // PostgreSQL's driver counts seconds, MariaDB's milliseconds.
        properties.setProperty(
                "connectTimeout",
                String.valueOf(
                        database.jdbc().startsWith("jdbc:postgresql:") ? CONNECT_SECONDS : CONNECT_SECONDS * 1_000));
        if (database.jdbc().startsWith("jdbc:postgresql:")) {
            // A server that takes the connection and says nothing.
            properties.setProperty("loginTimeout", String.valueOf(CONNECT_SECONDS));
        }
        if (database.jdbc().startsWith("jdbc:h2:") || database.jdbc().contains("connectTimeout")) {
            properties.remove("connectTimeout");
        }
        var source = new DriverSource(database, properties);
        source.getConnection().close();
        var config = new HikariConfig();
        config.setDataSource(source);
        config.setMaximumPoolSize(4);
        config.setMinimumIdle(0);
        config.setConnectionTimeout(CONNECT_SECONDS * 1_000L);
        return new HikariDataSource(config);
    }
}
