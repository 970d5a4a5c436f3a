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
import io.waybill.console.security.Masking;
import io.waybill.jdbc.JdbcStore;
import io.waybill.jdbc.schema.JdbcStoreOptions;
import io.waybill.server.cli.Operator;
import io.waybill.server.config.ConsoleSettings;
import io.waybill.server.database.DatabaseErrors;
import io.waybill.server.database.DatabaseUrl;
import io.waybill.server.database.Pools;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
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

    /** Connects when it is asked for first, and again until that succeeds. */
    private static final class Opened implements AutoCloseable {
        private final Named named;
        private @Nullable HikariDataSource pool;
        private @Nullable JdbcStore store;

        Opened(Named named) {
            this.named = named;
        }

        synchronized JdbcStore store() {
            JdbcStore open = store;
            if (open == null) {
                try {
                    HikariDataSource connected = pool == null ? Pools.connected(named.url) : pool;
                    pool = connected;
                    open = JdbcStore.on(connected, JdbcStoreOptions.DEFAULT.withPrefix(named.prefix), Time.system());
                    store = open;
                } catch (SQLException e) {
                    throw DatabaseErrors.explained(named.url, e);
                }
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
        List<ConsoleUser> users = options.users().map(ConsoleService::users).orElse(List.of());
        List<String> rules = Stream.concat(Masking.DEFAULT_RULES.stream(), options.masks().stream())
                .toList();
        ConsoleOptions console = ConsoleOptions.of(databases.stream()
                        .map(one -> new ConsoleDatabase(one.named.name, one.named.url.toString(), one::store))
                        .toList())
                .users(users)
                .local(new Identity(Operator.name(), Role.ADMIN))
                .readOnly(options.readOnly())
                .maskingRules(rules);
        console.checkAddress(options.address().getAddress());
        var server = ConsoleServer.start(options.address(), new Console(console)::answer);
        return new ConsoleService(
                databases, server, options.address().getAddress().getHostAddress());
    }

    private static List<ConsoleUser> users(Path file) {
        try (Stream<String> lines = Files.lines(file)) {
            List<ConsoleUser> users = ConsoleUser.parse(lines);
            if (users.isEmpty()) {
                throw new WaybillException(file + " has no users. Each line is name:role:hash.");
            }
            return users;
        } catch (IOException e) {
            throw new WaybillException("Could not read the users of the console from " + file + ": " + e, e);
        }
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
