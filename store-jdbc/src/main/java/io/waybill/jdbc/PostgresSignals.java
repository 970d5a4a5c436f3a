package io.waybill.jdbc;

import io.waybill.jdbc.internal.sql.SignalChannel;
import io.waybill.jdbc.sql.Dialect;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.postgresql.PGConnection;
import org.postgresql.PGNotification;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * LISTEN and NOTIFY on PostgreSQL.
 *
 * <p>A NOTIFY inside a transaction makes commits wait for each other, so it is sent after the commit, outside of it, and at
 * most every few milliseconds however much is appended, and only if there are relays besides those of this process. Its own commit does not
 * wait for the disk: a signal that a crash loses is missed by nobody, because a sweep follows.
 *
 * <p><i>Threads:</i> safe; one thread sends, one listens and keeps a connection for that.
 */
final class PostgresSignals implements Signals {

    private static final Logger log = LoggerFactory.getLogger(PostgresSignals.class);
    private static final String SIGNAL = """
            SELECT set_config('synchronous_commit', 'off', true), pg_notify(?, ?)
              FROM (SELECT count(*) AS alive FROM ${prefix}relay_node WHERE expires_at >= clock_timestamp()) relays
             WHERE relays.alive > ?
            """;
    private static final Duration BETWEEN_SIGNALS = Duration.ofMillis(5);
    private static final Duration WHILE_ALONE = Duration.ofSeconds(1);
    private static final Duration BEFORE_RECONNECTING = Duration.ofSeconds(1);
    private static final int LISTEN_MILLIS = 500;

    private final DataSource dataSource;
    private final String channel;
    private final String signal;

    /** Names the sender of a signal: appending in this process wakes its relays without one. */
    private final String own = UUID.randomUUID().toString();

    private final Semaphore hints = new Semaphore(0);
    private final CountDownLatch stopped = new CountDownLatch(1);
    private final List<Thread> threads = new ArrayList<>();
    private volatile int relaysHere;

    PostgresSignals(DataSource dataSource, String prefix) {
        this.dataSource = dataSource;
        this.channel = SignalChannel.of(prefix);
        this.signal = Dialect.POSTGRESQL.sql(SIGNAL, prefix);
        start("waybill-notify", this::sendAll);
    }

    @Override
    public void send() {
        if (hints.availablePermits() == 0) {
            hints.release();
        }
    }

    @Override
    public void listen(int relays, Runnable hint) {
        relaysHere = relays;
        start("waybill-listen", () -> listenUntilStopped(hint));
    }

    @Override
    public void close() {
        stopped.countDown();
        threads.forEach(Thread::interrupt);
    }

    private void start(String name, Loop loop) {
        var thread = new Thread(() -> repeat(loop), name);
        thread.setDaemon(true);
        threads.add(thread);
        thread.start();
    }

    /** Runs the loop again after an error, for as long as nobody stops it. */
    private void repeat(Loop loop) {
        try {
            do {
                try {
                    loop.run();
                } catch (SQLException e) {
                    log.debug("Signals are interrupted; the relay finds messages by its sweeps: {}", e.getMessage());
                }
            } while (!stopped.await(BEFORE_RECONNECTING.toMillis(), TimeUnit.MILLISECONDS));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void sendAll() throws SQLException, InterruptedException {
        Duration pause;
        do {
            hints.acquire();
            hints.drainPermits();
            pause = isSent() ? BETWEEN_SIGNALS : WHILE_ALONE;
        } while (!stopped.await(pause.toMillis(), TimeUnit.MILLISECONDS));
    }

    private boolean isSent() throws SQLException {
        return isSent(dataSource, signal, channel, own, relaysHere);
    }

    /** Sends one signal on the caller's thread, for those who append once and end. */
    static void sendOnce(DataSource dataSource, String prefix) {
        try {
            isSent(dataSource, Dialect.POSTGRESQL.sql(SIGNAL, prefix), SignalChannel.of(prefix), "", 0);
        } catch (SQLException e) {
            log.debug("No signal was sent; relays find the message by their sweeps: {}", e.getMessage());
        }
    }

    private static boolean isSent(DataSource dataSource, String signal, String channel, String sender, int relaysHere)
            throws SQLException {
        try (Connection connection = dataSource.getConnection();
                PreparedStatement statement = connection.prepareStatement(signal)) {
            statement.setString(1, channel);
            statement.setString(2, sender);
            statement.setInt(3, relaysHere);
            try (ResultSet sent = statement.executeQuery()) {
                return sent.next();
            }
        }
    }

    private void listenUntilStopped(Runnable hint) throws SQLException {
        try (Connection connection = dataSource.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("LISTEN " + channel);
            hint.run();
            PGConnection postgres = connection.unwrap(PGConnection.class);
            while (stopped.getCount() > 0) {
                if (Stream.of(postgres.getNotifications(LISTEN_MILLIS)).anyMatch(this::isOfAnother)) {
                    hint.run();
                }
            }
            statement.execute("UNLISTEN " + channel);
        }
    }

    private boolean isOfAnother(PGNotification signal) {
        return !own.equals(signal.getParameter());
    }

    @FunctionalInterface
    private interface Loop {
        void run() throws SQLException, InterruptedException;
    }
}
