package io.waybill.server.database;

import static org.assertj.core.api.Assertions.assertThat;

import io.waybill.server.Cli;
import io.waybill.server.DatabaseUsers;
import io.waybill.server.Eventually;
import io.waybill.server.OwnServer;
import io.waybill.server.config.RelayConfig;
import io.waybill.server.config.RelayConfigFile;
import io.waybill.server.relay.RelayService;
import io.waybill.server.relay.RelayServiceContract;
import io.waybill.testkit.services.database.TestDatabase;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A database that refuses the relay, has not the table it wants, or goes away: that is said in words, nothing is lost, and when it is
 * mended the relay goes on by itself.
 */
abstract class DatabaseTroubleContract {

    private static final int SOME = 500;

    @TempDir
    Path directory;

    private TestDatabase database;
    private DatabaseUsers users;
    private String url;
    private Path file;

    @SuppressWarnings("NullAway.Init")
    DatabaseTroubleContract() {}

    abstract OwnServer server();

    @BeforeEach
    void openDatabase() {
        database = server().databases().get();
        users = new DatabaseUsers(database);
        url = RelayServiceContract.url(database);
        file = directory.resolve("out.ndjson");
    }

    @AfterEach
    void closeDatabase() {
        database.close();
    }

    @Test
    void a_server_that_ends_in_the_middle_loses_nothing_and_is_found_again() throws Exception {
        try (var service = RelayService.start(config(url, ""))) {
            Eventually.is(() -> assertThat(service.problems()).isEmpty());
            insert(0);
            Eventually.is(() -> assertThat(numbers()).hasSize(SOME));
            insert(SOME);
            server().crash().run();
            Eventually.is(() -> assertThat(service.isReady()).isFalse());
            assertThat(service.isAlive()).isTrue();
            assertThat(service.problems().get("shop")).isNotBlank().doesNotContain("\n");
            server().restart().run();
            insert(2 * SOME);

            Eventually.is(() -> assertThat(numbers()).hasSize(3 * SOME));
            Eventually.is(() -> assertThat(service.isReady()).isTrue());
        }
        assertThatEveryKeyIsInOrder();
    }

    @Test
    void a_wrong_password_is_said_without_it_and_tried_again_until_it_is_right() throws Exception {
        apply("kafka-outbox");
        insert(0);
        String guarded = DatabaseUsers.newName("guarded");
        users.create(guarded, "other");
        users.letDoEverything(guarded);

        try (var service = RelayService.start(config(users.url(guarded + ":s3cret"), ""))) {
            Eventually.is(() -> assertThat(service.problems().get("shop"))
                    .contains("refused the user or the password")
                    .doesNotContain("s3cret", "\n"));
            assertThat(Files.readAllLines(file)).isEmpty();
            users.setPassword(guarded, "s3cret");
            Eventually.is(() -> assertThat(numbers()).hasSize(SOME));
            assertThat(service.problems()).isEmpty();
        }
    }

    @Test
    void a_password_that_was_changed_is_read_again_from_its_file_without_a_restart() throws Exception {
        apply("kafka-outbox");
        String rotated = DatabaseUsers.newName("guarded");
        users.create(rotated, "first-Pw1");
        users.letDoEverything(rotated);
        Path password = Files.writeString(directory.resolve("password"), "first-Pw1\n");

        try (var service = RelayService.start(config(users.url(rotated), "password-file: \"" + password + "\", "))) {
            insert(0);
            Eventually.is(() -> assertThat(numbers()).hasSize(SOME));
            users.setPassword(rotated, "second-Pw2");
            users.cut(rotated);
            Eventually.within(
                    Duration.ofSeconds(40),
                    () -> assertThat(service.problems().getOrDefault("shop", ""))
                            .containsPattern(
                                    "password authentication failed|Access denied|refused the user or the password")
                            .doesNotContain("Pw1", "Pw2"));

            Files.writeString(password, "second-Pw2\n");
            insert(SOME);

            Eventually.within(
                    Duration.ofSeconds(40), () -> assertThat(numbers()).hasSize(2 * SOME));
            Eventually.is(() -> assertThat(service.problems()).isEmpty());
        }
    }

    @Test
    void a_user_whom_the_server_does_not_know_is_tried_again_until_let_in() throws Exception {
        apply("kafka-outbox");
        insert(0);
        String late = DatabaseUsers.newName("late");

        try (var service = RelayService.start(config(users.url(late), ""))) {
            Eventually.is(() -> assertThat(service.problems().get("shop"))
                    .contains("refused the user or the password")
                    .doesNotContain("\n"));
            users.create(late, "");
            users.letDoEverything(late);
            Eventually.is(() -> assertThat(numbers()).hasSize(SOME));
        }
    }

    @Test
    void a_user_who_may_only_read_is_refused_before_anything_is_sent_and_served_when_it_may_write() throws Exception {
        apply("kafka-outbox");
        insert(0);
        String reader = users.newReader();

        var refused = Cli.run(
                "relay",
                "run",
                "--db",
                users.url(reader),
                "--layout",
                "kafka-outbox",
                "--to",
                "file:" + file,
                "--once");
        assertThat(refused.exitCode()).isEqualTo(1);
        assertThat(refused.err())
                .contains("lacks rights of the role relay", "GRANT UPDATE ON kafka_outbox TO")
                .hasLineCount(1);

        try (var service = RelayService.start(config(users.url(reader), ""))) {
            Eventually.is(() -> assertThat(service.problems().get("shop")).contains("GRANT UPDATE ON kafka_outbox TO"));
            assertThat(Files.readAllLines(file)).isEmpty();
            users.letDoEverything(reader);
            Eventually.is(() -> assertThat(numbers()).hasSize(SOME));
        }
    }

    @Test
    void a_user_who_may_only_read_waybills_own_tables_is_told_what_to_grant() throws Exception {
        Cli.run("schema", "apply", "--db", url);
        database.execute("INSERT INTO outbox (destination, payload) VALUES ('orders', '1')");

        var refused = Cli.run("relay", "run", "--db", users.url(users.newReader()), "--to", "file:" + file, "--once");

        assertThat(refused.exitCode()).isEqualTo(1);
        assertThat(refused.err())
                .contains("lacks rights of the role relay", "GRANT INSERT, UPDATE, DELETE ON outbox TO")
                .hasLineCount(1);
        assertThat(Files.readAllLines(file)).isEmpty();
    }

    @Test
    void a_table_that_is_missing_or_of_another_layout_is_named_and_served_when_it_fits() throws Exception {
        try (var service = RelayService.start(config(url, "setup: false, "))) {
            Eventually.is(() -> assertThat(service.problems().get("shop"))
                    .contains("There is no table kafka_outbox")
                    .doesNotContain("\n"));
            apply("outbox-messages", "--table", "kafka_outbox");
            Eventually.is(
                    () -> assertThat(service.problems().get("shop")).contains("a table of the layout outbox-messages"));
            database.execute("DROP TABLE kafka_outbox");
            apply("kafka-outbox");
            insert(0);
            Eventually.is(() -> assertThat(numbers()).hasSize(SOME));
        }
    }

    private void apply(String layout, String... more) {
        var arguments = new java.util.ArrayList<>(List.of("schema", "apply", "--db", url, "--layout", layout));
        arguments.addAll(List.of(more));
        var applied = Cli.run(arguments.toArray(String[]::new));
        assertThat(applied.exitCode()).as(applied.err()).isZero();
    }

    private void insert(int from) throws SQLException {
        database.execute(Cli.filled("""
                INSERT INTO kafka_outbox (topic, payload_json, partition_key)
                WITH RECURSIVE s (n) AS (SELECT %d UNION ALL SELECT n + 1 FROM s WHERE n < %d)
                SELECT 'orders', concat('{"n":', n, '}'), concat('k', n %% 7) FROM s ORDER BY n
                """, from, from + SOME - 1));
    }

    /** At least once: what came twice counts once, where it came first. */
    private Set<Integer> numbers() throws IOException {
        return Files.readAllLines(file).stream()
                .map(line -> Integer.valueOf(line.replaceFirst(".*\\{\"n\":(\\d+)}.*", "$1")))
                .collect(Collectors.toCollection(LinkedHashSet::new));
    }

    private void assertThatEveryKeyIsInOrder() throws IOException {
        Map<Integer, Integer> last = new HashMap<>();
        for (int number : numbers()) {
            Integer before = last.put(number % 7, number);
            assertThat(before == null ? -1 : before).isLessThan(number);
        }
    }

    private RelayConfig config(String from, String more) {
        return RelayConfigFile.parse("test.yaml", Cli.filled("""
                sources: [{name: shop, db: "%s", layout: kafka-outbox, %spoll: 20ms}]
                routes: [{to: "file:%s"}]
                """, from, more, file), name -> null);
    }
}
