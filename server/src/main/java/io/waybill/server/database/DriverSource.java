package io.waybill.server.database;

import java.io.PrintWriter;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.util.Properties;
import java.util.logging.Logger;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** Connects with the password as it is now: one that was changed in its file is used for the next connection, without a restart. */
final class DriverSource implements DataSource {

    private final DatabaseUrl database;
    private final Properties settings;

    /** @param settings of the driver, beside user and password */
    DriverSource(DatabaseUrl database, Properties settings) {
        this.database = database;
        this.settings = settings;
    }

    @Override
    public Connection getConnection() throws SQLException {
        var properties = new Properties();
        properties.putAll(settings);
        properties.putAll(database.properties());
        return DriverManager.getConnection(database.jdbc(), properties);
    }

    @Override
    public Connection getConnection(String user, String password) throws SQLException {
        return getConnection();
    }

    @Override
    public @Nullable PrintWriter getLogWriter() {
        return null;
    }

    @Override
    public void setLogWriter(PrintWriter out) {}

    @Override
    public void setLoginTimeout(int seconds) {}

    @Override
    public int getLoginTimeout() {
        return 0;
    }

    @Override
    public Logger getParentLogger() throws SQLFeatureNotSupportedException {
        throw new SQLFeatureNotSupportedException();
    }

    @Override
    public <T> T unwrap(Class<T> type) throws SQLException {
        throw new SQLException("This is no " + type.getName());
    }

    @Override
    public boolean isWrapperFor(Class<?> type) {
        return false;
    }
}
