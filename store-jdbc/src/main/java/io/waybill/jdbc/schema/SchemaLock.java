package io.waybill.jdbc.schema;

import io.waybill.WaybillException;
import io.waybill.jdbc.sql.Dialect;
import io.waybill.jdbc.sql.Jdbc;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Lets one instance change the tables at a time, by a lock of the database. On PostgreSQL what is done under the lock is one
 * transaction; elsewhere every statement commits by itself, because that is what DDL does there.
 */
public final class SchemaLock {

    private static final int WAIT_SECONDS = 60;

    /** How long a change may wait for a table: behind it everybody else who wants the table waits too. */
    private static final int WAIT_FOR_TABLE_SECONDS = 10;

    /** SQLSTATE of PostgreSQL: lock not available. */
    private static final String TIMED_OUT = "55P03";

    /** H2 has no such lock; an embedded one is used by one process. */
    private static final ReentrantLock IN_THIS_PROCESS = new ReentrantLock();

    private final Dialect dialect;
    private final String name;

    public SchemaLock(Dialect dialect, String prefix) {
        this.dialect = dialect;
        this.name = "'" + prefix + "waybill_schema'";
    }

    @FunctionalInterface
    public interface Work {
        void run() throws SQLException;
    }

    public void whileHeld(Connection connection, Work work) throws SQLException {
        boolean before = connection.getAutoCommit();
        connection.setAutoCommit(dialect != Dialect.POSTGRESQL);
        try {
            switch (dialect) {
                case POSTGRESQL -> inTransaction(connection, work);
                case MARIADB, MYSQL -> underNamedLock(connection, work);
                case H2 -> inThisProcess(work);
            }
        } finally {
            if (!connection.isClosed()) {
                connection.setAutoCommit(before);
            }
        }
    }

    /** The lock ends with the transaction, so it works behind a connection pooler too. */
    private void inTransaction(Connection connection, Work work) throws SQLException {
        try {
            run(connection, "SET LOCAL lock_timeout = '" + WAIT_SECONDS + "s'");
            takeAdvisoryLock(connection);
            run(connection, "SET LOCAL lock_timeout = '" + WAIT_FOR_TABLE_SECONDS + "s'");
            work.run();
            connection.commit();
        } catch (Throwable e) {
            Jdbc.rollBack(connection, e);
            throw e;
        }
    }

    private void takeAdvisoryLock(Connection connection) throws SQLException {
        try {
            run(connection, "SELECT pg_advisory_xact_lock(hashtext(" + name + "))");
        } catch (SQLException e) {
            if (TIMED_OUT.equals(e.getSQLState())) {
                throw busy("pg_stat_activity");
            }
            throw e;
        }
    }

    private void underNamedLock(Connection connection, Work work) throws SQLException {
        // Names are the server's, not the database's, and not longer than 64 characters.
        String ofThisDatabase = "MD5(CONCAT(DATABASE(), '.', " + name + "))";
        boolean locked = Jdbc.query(
                        connection,
                        "SELECT GET_LOCK(" + ofThisDatabase + ", " + WAIT_SECONDS + ")",
                        none -> {},
                        row -> row.getInt(1) == 1)
                .get(0);
        if (!locked) {
            throw busy("SHOW PROCESSLIST");
        }
        String release = "SELECT RELEASE_LOCK(" + ofThisDatabase + ")";
        try {
            work.run();
        } catch (SQLException | RuntimeException e) {
            try {
                run(connection, release);
            } catch (SQLException gone) {
                e.addSuppressed(gone);
            }
            throw e;
        }
        run(connection, release);
    }

    private static void inThisProcess(Work work) throws SQLException {
        IN_THIS_PROCESS.lock();
        try {
            work.run();
        } finally {
            IN_THIS_PROCESS.unlock();
        }
    }

    private static WaybillException busy(String whereToLook) {
        return new WaybillException("Another instance has been changing the tables for more than " + WAIT_SECONDS
                + " s. Look for it in " + whereToLook + ".");
    }

    private static void run(Connection connection, String sql) throws SQLException {
        try (var statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }
}
