package io.waybill.testkit.services.database;

import javax.sql.DataSource;

/**
 * An empty database of one's own; closing it drops it, with whoever is still connected.
 *
 * <p>Threads: may be used by many.
 */
public final class TestDatabase implements AutoCloseable {

    private final String jdbcUrl;
    private final String user;
    private final String password;
    private final DataSource dataSource;
    private final Runnable drop;

    public TestDatabase(String jdbcUrl, String user, String password, DataSource dataSource, Runnable drop) {
        this.jdbcUrl = jdbcUrl;
        this.user = user;
        this.password = password;
        this.dataSource = dataSource;
        this.drop = drop;
    }

    public String jdbcUrl() {
        return jdbcUrl;
    }

    public String user() {
        return user;
    }

    public String password() {
        return password;
    }

    /** The driver's own, without a pool: each connection is a new one. */
    public DataSource dataSource() {
        return dataSource;
    }

    @Override
    public void close() {
        drop.run();
    }

    @Override
    public String toString() {
        return jdbcUrl;
    }
}
