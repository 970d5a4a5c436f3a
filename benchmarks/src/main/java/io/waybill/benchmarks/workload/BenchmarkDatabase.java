package io.waybill.benchmarks.workload;

import com.zaxxer.hikari.HikariDataSource;
import io.waybill.testkit.services.database.TestDatabase;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import javax.sql.DataSource;

/** A database that one measurement has to itself, with a pool as an application would use it. */
public final class BenchmarkDatabase implements AutoCloseable {

    private static final int CONNECTIONS = 36;

    private final TestDatabase database;
    private final HikariDataSource pool;

    public BenchmarkDatabase(TestDatabase database) {
        this.database = database;
        this.pool = new HikariDataSource();
        pool.setJdbcUrl(database.jdbcUrl());
        pool.setUsername(database.user());
        pool.setPassword(database.password());
        pool.setMaximumPoolSize(CONNECTIONS);
    }

    public DataSource pool() {
        return pool;
    }

    public void execute(String... statements) throws SQLException {
        try (Connection connection = pool.getConnection();
                Statement statement = connection.createStatement()) {
            for (String sql : statements) {
                statement.execute(sql);
            }
        }
    }

    public String ask(String sql) throws SQLException {
        try (Connection connection = pool.getConnection();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(sql)) {
            row.next();
            return row.getString(1);
        }
    }

    /** How many transactions were committed here so far, those that only read included. Ends what the pool has open: that counts then. */
    public long transactions() throws SQLException {
        pool.getHikariPoolMXBean().softEvictConnections();
        Patience.pause(Duration.ofSeconds(2));
        return Long.parseLong(ask("SELECT xact_commit FROM pg_stat_database WHERE datname = current_database()"));
    }

    /** After filling: statistics are current, and no checkpoint of the filling falls into the measurement. */
    public void settle() throws SQLException {
        execute("VACUUM (ANALYZE)", "CHECKPOINT");
    }

    @Override
    public void close() {
        pool.close();
        database.close();
    }
}
