package io.waybill.server.database;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.waybill.jdbc.schema.TableRights;
import io.waybill.message.Message;
import io.waybill.server.Cli;
import io.waybill.server.DatabaseUsers;
import io.waybill.server.relay.RelayServiceContract;
import io.waybill.testkit.memory.MemoryBroker;
import io.waybill.testkit.services.database.TestDatabase;
import io.waybill.transport.Deadline;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** A database whose tables the migration user has made, and users with the rights that {@code schema grants} prints. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class DatabaseRolesScenario {

    @TempDir
    Path directory;

    TestDatabase database;
    DatabaseUsers users;
    String migration;

    @SuppressWarnings("NullAway.Init")
    DatabaseRolesScenario() {}

    abstract TestDatabase open();

    @BeforeAll
    void migrate() throws SQLException {
        database = open();
        users = new DatabaseUsers(database);
        database.execute("CREATE TABLE salaries (amount INT)");
        migration = as("migration");
        var applied = Cli.run("schema", "apply", "--db", users.url(migration));
        assertThat(applied.exitCode()).as(applied.err()).isZero();
        applied = Cli.run("schema", "apply", "--db", users.url(migration), "--layout", "kafka-outbox");
        assertThat(applied.exitCode()).as(applied.err()).isZero();
    }

    @AfterAll
    void close() {
        database.close();
    }

    static Message text(String payload) {
        return Message.event("Told", payload).as("text/plain");
    }

    static void deliver(MemoryBroker source, String payload) {
        source.publish(List.of(text(payload).to("orders").seal(UUID::randomUUID)), Deadline.NEVER);
    }

    String as(String role, String... more) throws SQLException {
        String user = DatabaseUsers.newName(role);
        users.create(user, "");
        List<String> arguments = new ArrayList<>(List.of(
                "schema",
                "grants",
                "--db",
                RelayServiceContract.url(database),
                "--role",
                role,
                "--user",
                users.account(user)));
        arguments.addAll(List.of(more));
        var grants = Cli.run(arguments.toArray(String[]::new));
        assertThat(grants.exitCode()).as(grants.err()).isZero();
        for (String statement : grants.out().strip().split(";\\s*", 0)) {
            execute(statement);
        }
        return user;
    }

    void assertRefused(String user, String sql) {
        assertThatThrownBy(() -> {
                    try (var pool = pool(user);
                            var connection = pool.getConnection();
                            var statement = connection.createStatement()) {
                        statement.execute(sql);
                    }
                })
                .as(sql)
                .isInstanceOf(SQLException.class)
                .matches(e -> TableRights.isForbidden((SQLException) e), "is for lack of a right");
    }

    HikariDataSource pool(String user) {
        var config = new HikariConfig();
        config.setJdbcUrl(database.jdbcUrl());
        config.setUsername(user);
        config.setPassword("");
        config.setMaximumPoolSize(10);
        config.setMinimumIdle(0);
        return new HikariDataSource(config);
    }

    static List<String> sent(Path file) throws IOException {
        return Files.exists(file)
                ? Files.readAllLines(file).stream()
                        .map(line -> line.replaceFirst(".*\"payload\":\"?([^\"},]*).*", "$1"))
                        .toList()
                : List.of();
    }

    void execute(String sql) throws SQLException {
        database.execute(sql);
    }

    long count(String table) throws SQLException {
        return Long.parseLong(value("SELECT count(*) FROM " + table));
    }

    String value(String sql) throws SQLException {
        try (var connection = database.dataSource().getConnection();
                var statement = connection.createStatement();
                var row = statement.executeQuery(sql)) {
            row.next();
            return row.getString(1);
        }
    }
}
