package io.waybill.server.console;

import com.zaxxer.hikari.HikariDataSource;
import io.waybill.Time;
import io.waybill.WaybillException;
import io.waybill.console.Console;
import io.waybill.console.ConsoleOptions;
import io.waybill.console.api.ConsoleDatabase;
import io.waybill.console.http.ConsoleServer;
import io.waybill.console.request.Identity;
import io.waybill.console.request.Role;
import io.waybill.console.security.ConsoleUser;
import io.waybill.console.security.PayloadMask;
import io.waybill.jdbc.JdbcStore;
import io.waybill.jdbc.schema.JdbcStoreOptions;
import io.waybill.server.cli.Operator;
import io.waybill.server.config.ConsoleSettings;
import io.waybill.server.database.DatabaseErrors;
import io.waybill.server.database.DatabaseUrl;
import io.waybill.server.database.Pools;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The console of some databases. A database that is away is shown as such, and opened when it is there.
 *
 * <p><i>Threads:</i> safe.
 */
public final class ConsoleService implements AutoCloseable {

    private final List<Opened> databases;
    private final ConsoleServer server;
    private final String host;

    private ConsoleService(List<Opened> databases, ConsoleServer server, String host) {
        this.databases = databases;
        this.server = server;
        this.host = host;
    }

    /** A database by the name that the console gives it. */
    public record Named(String name, DatabaseUrl url, String prefix) {}

    /**
     * Connects when it is asked for first, and again until that succeeds. While the database is away, requests do not wait for it: they
     * would take the threads of those for the others.
     */
    private static final class Opened implements AutoCloseable {
        private static final long MAX_WAIT_MILLIS = 3_000;
        private static final long RETRY_NANOS = Duration.ofSeconds(5).toNanos();

        private final Named named;
        private @Nullable HikariDataSource pool;
        private @Nullable JdbcStore store;
        private @Nullable String problem;
        private long failedAt;

        Opened(Named named) {
            this.named = named;
        }

        synchronized JdbcStore store() {
            if (problem != null && System.nanoTime() - failedAt < RETRY_NANOS) {
                throw new WaybillException(problem);
            }
            try {
                JdbcStore open = opened(connected());
                problem = null;
                return open;
            } catch (SQLException e) {
                WaybillException explained = DatabaseErrors.explained(named.url, e);
                problem = explained.getMessage();
                failedAt = System.nanoTime();
                throw explained;
            }
        }

        private HikariDataSource connected() throws SQLException {
            HikariDataSource connected = pool;
            if (connected == null) {
                connected = Pools.connected(named.url);
                connected.setConnectionTimeout(MAX_WAIT_MILLIS);
                pool = connected;
            } else if (connected.getHikariPoolMXBean().getTotalConnections() == 0) {
                connected.getConnection().close();
            }
            return connected;
        }

        private JdbcStore opened(HikariDataSource connected) {
            JdbcStore open = store;
            if (open == null) {
                open = JdbcStore.on(connected, JdbcStoreOptions.DEFAULT.withPrefix(named.prefix), Time.system());
                store = open;
            }
            return open;
        }

        @Override
        public synchronized void close() {
            if (pool != null) {
                pool.close();
            }
        }
    }

    /** Begins to serve. */
    public static ConsoleService start(List<Named> named, ConsoleSettings options) {
        List<Opened> databases = new ArrayList<>();
        named.forEach(one -> databases.add(new Opened(one)));
        List<ConsoleUser> users = options.users().map(ConsoleUser::read).orElse(List.of());
        List<String> rules = Stream.concat(PayloadMask.DEFAULT_RULES.stream(), options.masks().stream())
                .toList();
        ConsoleOptions console = ConsoleOptions.of(databases.stream()
                        .map(one -> new ConsoleDatabase(one.named.name, one.named.url.toString(), one::store))
                        .toList())
                .users(users)
                .local(new Identity(Operator.name(), Role.ADMIN))
                .readOnly(options.readOnly())
                .maskingRules(rules)
                .proxies(options.proxies());
        console.checkAddress(options.address().getAddress());
        var server = ConsoleServer.start(options.address(), new Console(console)::answer);
        return new ConsoleService(
                databases, server, options.address().getAddress().getHostAddress());
    }

    /** Where a browser finds it. */
    public String url() {
        return "http://" + host + ":" + server.port() + "/";
    }

    @Override
    public void close() {
        server.close();
        databases.forEach(Opened::close);
    }
}
