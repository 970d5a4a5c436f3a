package io.waybill.jdbc.layout;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.waybill.jdbc.Rows;
import io.waybill.jdbc.layout.table.Layout;
import io.waybill.jdbc.layout.table.LayoutRows;
import io.waybill.message.Envelope;
import io.waybill.observe.RelayListener;
import io.waybill.relay.Relay;
import io.waybill.relay.route.RelayOptions;
import io.waybill.relay.route.Route;
import io.waybill.relay.route.Routes;
import io.waybill.store.outbox.Lane;
import io.waybill.testkit.ManualClock;
import io.waybill.testkit.memory.MemoryBroker;
import io.waybill.testkit.services.database.TestDatabase;
import io.waybill.transport.Outcome;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** An empty database, a broker, and relays between them. */
abstract class LayoutScenario {

    final MemoryBroker broker = new MemoryBroker();
    final ManualClock clock = ManualClock.now();
    TestDatabase database;
    HikariDataSource pool;
    private final List<AutoCloseable> opened = new ArrayList<>();

    @SuppressWarnings("NullAway.Init")
    LayoutScenario() {}

    public abstract TestDatabase newDatabase();

    @BeforeEach
    void openDatabase() {
        database = newDatabase();
        var config = new HikariConfig();
        config.setDataSource(database.dataSource());
        config.setMaximumPoolSize(20);
        config.setMinimumIdle(0);
        pool = new HikariDataSource(config);
    }

    @AfterEach
    void closeDatabase() throws Exception {
        for (var one : opened) {
            one.close();
        }
        pool.close();
        database.close();
    }

    AdoptedTable open(Layout layout) {
        return AdoptedTable.open(pool, layout, AdoptedTable.Setup.EVERYTHING, clock.time());
    }

    Relay relay(AdoptedTable table) {
        return relay(table, route -> route);
    }

    Relay relay(AdoptedTable table, UnaryOperator<Route> change) {
        return relay(table, change, RelayOptions.DEFAULT);
    }

    Relay relay(AdoptedTable table, UnaryOperator<Route> change, RelayOptions options) {
        var relay = new Relay(
                table.outboxStore(),
                table.leaseStore(),
                Routes.of(change.apply(Route.of("**", broker))),
                options,
                clock.time(),
                RelayListener.NONE);
        opened.add(relay);
        return relay;
    }

    /** Lets a message be refused that many times. */
    void outlast(Relay relay, int attempts) {
        for (int i = 0; i < attempts; i++) {
            relay.drain();
            clock.advance(Duration.ofSeconds(61));
        }
        relay.drain();
    }

    static Function<Envelope, Outcome> refuse(String payload) {
        return message -> message.payload().asText().equals(payload)
                ? new Outcome.Refused("not this one")
                : new Outcome.Accepted();
    }

    /** How many rows and index entries the database has read so far, as far as it counts them. */
    long rowsRead() {
        String url = database.jdbcUrl();
        if (url.startsWith("jdbc:postgresql:")) {
            // What a session has counted is seen by others after a second, or when it is told so.
            rows("SELECT 1 FROM pg_stat_force_next_flush()");
            return Long.parseLong(rows("SELECT (SELECT sum(seq_tup_read) FROM pg_stat_user_tables)"
                            + " + (SELECT sum(idx_tup_read) FROM pg_stat_user_indexes)")
                    .get(0));
        }
        return url.startsWith("jdbc:mariadb:")
                ? (long) Double.parseDouble(rows("SELECT sum(variable_value) FROM information_schema.global_status"
                                + " WHERE variable_name LIKE 'Handler_read%'")
                        .get(0))
                : 0;
    }

    /** Claims so many of one destination, and tells how many rows were read for it. */
    long rowsReadByClaim(AdoptedTable table, String name, String destination, int count) {
        execute(database.jdbcUrl().startsWith("jdbc:mariadb:") ? "ANALYZE TABLE " + name : "ANALYZE");
        var lane = new Lane(LayoutRows.shard(destination), destination);
        long before = rowsRead();
        assertThat(table.outboxStore().claim(Map.of(lane, count), 1_000_000).messages())
                .hasSize(count);
        return rowsRead() - before;
    }

    void execute(String... statements) {
        try (Connection connection = pool.getConnection();
                var statement = connection.createStatement()) {
            for (String sql : statements) {
                statement.execute(sql);
            }
        } catch (SQLException e) {
            throw new IllegalStateException(String.join("; ", statements), e);
        }
    }

    /** The rows of a query, the columns of each joined by a space. */
    List<String> rows(String query) {
        return Rows.in(pool, query);
    }
}
