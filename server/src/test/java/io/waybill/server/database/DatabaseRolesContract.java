package io.waybill.server.database;

import static org.assertj.core.api.Assertions.assertThat;

import io.waybill.inbox.ReceivingOptions;
import io.waybill.jdbc.schema.InitializeSchema;
import io.waybill.message.PayloadCodec;
import io.waybill.process.state.ProcessStatus;
import io.waybill.runtime.Waybill;
import io.waybill.server.Cli;
import io.waybill.server.Eventually;
import io.waybill.server.HouseProcess;
import io.waybill.server.config.RelayConfigFile;
import io.waybill.server.relay.OpenSource;
import io.waybill.server.relay.RelayService;
import io.waybill.store.failed.FailedSelection;
import io.waybill.testkit.memory.MemoryBroker;
import io.waybill.transport.SubscriptionOptions;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Each role does its whole job with the rights that {@code schema grants} prints for it, and nothing beyond. */
abstract class DatabaseRolesContract extends DatabaseRolesScenario {

    @Test
    void the_migration_user_upgrades_and_checks_but_reads_nobody_elses_table() {
        assertThat(Cli.run("schema", "apply", "--db", users.url(migration), "--table-prefix", "next_")
                        .err())
                .isEmpty();
        assertThat(Cli.run("schema", "validate", "--db", users.url(migration)).out())
                .contains("The tables fit.");
        assertRefused(migration, users.isMariaDb() ? "DELETE FROM salaries" : "SELECT * FROM salaries");
        assertRefused(migration, "DROP TABLE salaries");
    }

    @Test
    void the_relay_sends_what_is_due_retries_and_cleans_up_but_sees_no_process() throws Exception {
        String relay = as("relay");
        Path file = directory.resolve("relay-" + UUID.randomUUID());
        execute("INSERT INTO outbox (destination, payload, partition_key) VALUES ('relay.orders', '1', 'k')");
        execute("INSERT INTO outbox_scheduled (destination, payload, due_at) VALUES ('relay.orders', '2', "
                + (users.isMariaDb() ? "UTC_TIMESTAMP(6)" : "clock_timestamp()") + ")");
        execute("INSERT INTO outbox (destination, payload, status, dispatched_at, created_at) VALUES"
                + " ('relay.old', '0', 'DISPATCHED', '2020-01-01 00:00:00', '2020-01-01 00:00:00')");
        for (String setup : List.of("true", "false")) {
            var config =
                    RelayConfigFile.parse("relay.yaml", Cli.filled("""
                    sources: [{name: shop, db: "%s", setup: %s, poll: 20ms, max-payload: 1000}]
                    routes:
                    - {match: "relay.**", to: "file:%s"}
                    """, users.url(relay), setup, file), name -> null);
            try (var service = RelayService.start(config)) {
                Eventually.is(() -> assertThat(service.problems()).isEmpty());
                execute("INSERT INTO outbox (destination, payload, partition_key) VALUES ('relay.refused', '\""
                        + "x".repeat(2_000) + "\"', '" + setup + "'), ('relay.refused', '3', '" + setup + "')");
                execute("INSERT INTO outbox (destination, payload) VALUES ('relay.orders', '" + setup + "')");
                Eventually.is(() -> assertThat(sent(file)).contains("1", "2", setup));
                Eventually.is(
                        () -> assertThat(count("outbox WHERE status = 'HELD' AND partition_key = '" + setup + "'"))
                                .isEqualTo(1));
                assertThat(service.problems()).isEmpty();
            }
        }
        var once = Cli.run("relay", "run", "--db", users.url(relay), "--to", "file:" + file, "--once");
        assertThat(once.out()).as(once.err()).contains("messages sent");
        var nodes = Cli.run("relay", "list", "--db", users.url(relay));
        assertThat(nodes.exitCode()).as(nodes.err()).isZero();
        try (OpenSource open =
                OpenSource.of(RelayConfigFile.parse("relay.yaml", Cli.filled("""
                    sources: [{name: shop, db: "%s", retention: 1h}]
                    routes: [{to: "file:%s"}]
                    """, users.url(relay), file), name -> null)
                        .sources()
                        .get(0))) {
            open.cleanUp();
        }
        assertThat(count("outbox WHERE destination = 'relay.old'")).isZero();
        assertRefused(relay, "SELECT * FROM process_instance");
        assertRefused(relay, "SELECT * FROM command");
        assertRefused(relay, "SELECT * FROM salaries");
        assertRefused(relay, "DELETE FROM relay_lease");
        assertRefused(relay, "DELETE FROM relay_paused_destination");
        assertRefused(relay, "INSERT INTO operation_log (operation_id) VALUES (NULL)");
    }

    @Test
    void the_relay_of_an_adopted_table_needs_no_more_than_that_table_and_its_own() throws Exception {
        String relay = as("relay", "--layout", "kafka-outbox");
        Path file = directory.resolve("adopted-" + UUID.randomUUID());
        execute("INSERT INTO kafka_outbox (topic, payload_json) VALUES ('orders', '{\"n\":1}')");

        var sent = Cli.run(
                "relay", "run", "--db", users.url(relay), "--layout", "kafka-outbox", "--to", "file:" + file, "--once");

        assertThat(sent.out()).as(sent.err()).contains("1 messages sent");
        assertRefused(relay, "INSERT INTO kafka_outbox (topic, payload_json) VALUES ('orders', '{}')");
        assertRefused(relay, "SELECT * FROM outbox");
    }

    @Test
    void what_a_user_may_not_read_is_unknown_to_it_and_not_said_to_be_there() throws Exception {
        String relay = as("relay");

        var status = Cli.run("schema", "status", "--db", users.url(relay));
        var validated = Cli.run("schema", "validate", "--db", users.url(relay));

        assertThat(status.exitCode()).as(status.err()).isZero();
        assertThat(status.out())
                .contains("V010__process is unknown: this user may not read process_instance")
                .contains("V011__operation_log is unknown: this user may not read operation_log.")
                .doesNotContain("V010__process is there", "V011__operation_log is there", "is missing");
        assertThat(validated.out())
                .contains("The tables fit that this user may read; it may not read ", "operation_log");
        assertThat(Cli.run("schema", "status", "--db", users.url(migration)).out())
                .contains("V010__process is there.")
                .doesNotContain("unknown");
    }

    @Test
    void every_right_that_the_relay_lacks_is_named_with_its_table_and_the_statement_that_gives_it() throws Exception {
        String relay = as("relay");
        execute("REVOKE UPDATE, DELETE ON outbox FROM " + users.account(relay));
        execute("REVOKE SELECT ON outbox_blocked_key FROM " + users.account(relay));

        var refused = Cli.run("relay", "run", "--db", users.url(relay), "--to", "stdout:", "--once");
        var doctor = Cli.run("doctor", "--db", users.url(relay));

        assertThat(refused.exitCode()).isEqualTo(1);
        assertThat(refused.err())
                .hasLineCount(1)
                .contains(
                        "lacks rights of the role relay",
                        "GRANT UPDATE, DELETE ON outbox TO " + users.account(relay),
                        "GRANT SELECT");
        assertThat(doctor.out()).contains("GRANT UPDATE, DELETE ON outbox TO");
        for (String statement : refused.err()
                .replaceFirst("(?s).*Grant them: ", "")
                .strip()
                .replaceFirst("\\.$", "")
                .split("; ", -1)) {
            execute(statement);
        }
        var served = Cli.run("relay", "run", "--db", users.url(relay), "--to", "stdout:", "--once");
        assertThat(served.exitCode()).as(served.err()).isNotEqualTo(1);
        if (!users.isMariaDb()) {
            execute("REVOKE SELECT ON SEQUENCE outbox_id_seq FROM " + relay);
            assertThat(Cli.run("relay", "run", "--db", users.url(relay), "--to", "stdout:", "--once")
                            .err())
                    .contains("GRANT SELECT ON SEQUENCE outbox_id_seq TO " + relay);
        }
    }

    @Test
    void the_application_appends_handles_and_runs_processes_but_changes_no_table() throws Exception {
        String application = as("application");
        var source = new MemoryBroker();
        var attempts = new AtomicInteger();
        Set<String> handled = ConcurrentHashMap.newKeySet();
        try (var pool = pool(application)) {
            for (InitializeSchema mode : List.of(InitializeSchema.ALWAYS, InitializeSchema.NEVER)) {
                try (Waybill waybill = Waybill.on(pool)
                        .initializeSchema(mode)
                        .numbered("app.numbered")
                        .receiving(ReceivingOptions.DEFAULT.attempts(1))
                        .cleanupEvery(Duration.ofMillis(200))
                        .handlers(new HouseProcess.Builders())
                        .processes(new HouseProcess())
                        .start()) {
                    waybill.subscribe("app.*", "local", String.class, received -> handled.add(received.payload()));
                    waybill.subscribe(
                            source.asBroker(), SubscriptionOptions.to("orders", "billing"), String.class, received -> {
                                if (received.payload().equals("broken") && attempts.incrementAndGet() == 1) {
                                    throw new IllegalStateException("no ink");
                                }
                                handled.add(received.payload());
                            });
                    waybill.transactions().inTransaction(transaction -> {
                        waybill.outbox().append(text(mode + "now").to("app.now"));
                        waybill.outbox()
                                .append(text(mode + "later").to("app.later").after(Duration.ofMillis(10)));
                        waybill.outbox()
                                .append(text(mode + "numbered")
                                        .to("app.numbered")
                                        .inOrderOf("k"));
                        return 0;
                    });
                    deliver(source, mode + "received");
                    deliver(source, "broken");
                    UUID id = waybill.processManager().startProcess("House", mode.name(), Map.of("house", "1"));
                    waybill.processManager().signal(id, "Colour", Map.of("colour", "red"));
                    Eventually.is(() -> assertThat(handled)
                            .contains(mode + "now", mode + "later", mode + "numbered", mode + "received"));
                    Eventually.is(() -> assertThat(waybill.store()
                                    .processStore(PayloadCodec.found())
                                    .findById(id)
                                    .orElseThrow()
                                    .status())
                            .isEqualTo(ProcessStatus.SUCCEEDED));
                    if (waybill.failedMessages().count(FailedSelection.all()) > 0) {
                        waybill.failedMessages()
                                .retry(
                                        FailedSelection.all(),
                                        io.waybill.ops.FailedMessages.Target.HANDLER,
                                        "ink",
                                        n -> {});
                    }
                }
            }
            Eventually.is(() -> assertThat(handled).contains("broken"));
        }
        assertRefused(application, "SELECT * FROM operation_log");
        assertRefused(application, "SELECT * FROM salaries");
        assertRefused(application, "DROP TABLE outbox");
        assertRefused(application, "CREATE TABLE mine (id INT)");
    }

    @Test
    void the_operator_runs_every_command_but_creates_no_table() throws Exception {
        String operator = as("operator");
        List<UUID> houses = new ArrayList<>();
        String broken = "operator-" + UUID.randomUUID();
        try (Waybill waybill = Waybill.on(database.dataSource())
                .receiving(ReceivingOptions.DEFAULT.attempts(1))
                .handlers(new HouseProcess.Builders())
                .processes(new HouseProcess())
                .start()) {
            waybill.subscribe("op.broken", broken, String.class, received -> {
                throw new IllegalStateException("no ink");
            });
            for (int i = 0; i < 4; i++) {
                waybill.transactions()
                        .inTransaction(
                                transaction -> waybill.outbox().append(text("x").to("op.broken")));
                UUID id = waybill.processManager()
                        .startProcess("House", UUID.randomUUID().toString(), Map.of("house", "1"));
                houses.add(id);
                waybill.processManager().signal(id, "Colour", Map.of("colour", i == 3 ? "red" : ""));
                ProcessStatus end = i == 3 ? ProcessStatus.SUCCEEDED : ProcessStatus.FAILED;
                Eventually.is(() -> assertThat(waybill.store()
                                .processStore(PayloadCodec.found())
                                .findById(id)
                                .orElseThrow()
                                .status())
                        .isEqualTo(end));
            }
            Eventually.is(() -> assertThat(count("failed_message WHERE handler = '" + broken + "'"))
                    .isEqualTo(4));
        }
        String old = "created_at = '2020-01-01 00:00:00', updated_at = '2020-01-01 00:00:00'";
        execute("UPDATE process_instance SET " + old + " WHERE process_id = '" + houses.get(3) + "'");
        execute("UPDATE command SET timeout_at = NULL, " + old + " WHERE correlation_id = '" + houses.get(3) + "'");
        execute("INSERT INTO inbox (message_id, handler, processed_at) VALUES ('1', 'op', '2020-01-01 00:00:00')");
        execute("INSERT INTO outbox (destination, payload, status) VALUES ('op.orders', '1', 'FAILED')");
        execute(
                "INSERT INTO outbox (destination, payload, status, partition_key) VALUES ('op.orders', '2', 'FAILED', 'k'),"
                        + " ('op.orders', '2', 'HELD', 'k')");
        execute("INSERT INTO outbox (destination, payload, status, dispatched_at, created_at) VALUES"
                + " ('op.old', '0', 'DISPATCHED', '2020-01-01 00:00:00', '2020-01-01 00:00:00')");
        execute(
                "INSERT INTO outbox_scheduled (destination, payload, due_at) VALUES ('op.later', '1', '2999-01-01 00:00:00'),"
                        + " ('op.later', '2', '2999-01-01 00:00:00')");
        String message = value("SELECT outbox_id FROM outbox WHERE destination = 'op.orders' AND payload = '1'");
        String later = value("SELECT outbox_id FROM outbox_scheduled WHERE destination = 'op.later' AND payload = '1'");
        String command = value("SELECT command_id FROM command ORDER BY created_at LIMIT 1");
        String failed = value("SELECT min(id) FROM failed_message WHERE handler = '" + broken + "'");
        String process = houses.get(0).toString();

        for (String line : List.of(
                "outbox stats",
                "outbox list --status failed",
                "outbox show " + message,
                "outbox edit " + message + " --payload {} --reason why",
                "outbox replay --id " + message + " --reason why",
                "outbox redirect --status failed --destination op.orders --to op.moved --reason why",
                "outbox unblock op.orders nobody --reason why",
                "outbox discard --status failed --destination op.moved --reason why",
                "outbox pause op.orders --reason why",
                "outbox resume op.orders --reason why",
                "outbox scheduled",
                "outbox scheduled publish " + later + " --reason why",
                "outbox scheduled discard --destination op.later --reason why",
                "command send Nothing --idempotency-key " + message + " --reason why",
                "outbox cleanup --days 1 --archive-table",
                "inbox stats",
                "inbox cleanup --days 1000",
                "command list",
                "command show " + command,
                "failed groups",
                "failed list",
                "failed show " + failed,
                "failed edit " + failed + " --payload {} --reason why",
                "failed export",
                "failed retry --id " + failed + " --reason why",
                "failed discard --all --reason why",
                "process list",
                "process show " + process,
                "process explain " + process,
                "process graph " + process,
                "process cleanup --days 1000",
                "command cleanup --days 1000",
                "relay list",
                "operation list",
                "schema status",
                "schema validate")) {
            var done = Cli.run((line + " --db " + users.url(operator)).split(" ", -1));
            assertThat(done.exitCode())
                    .as(line + ": " + done.out() + done.err())
                    .isZero();
        }
        for (String gone : List.of(
                "inbox WHERE handler = 'op'",
                "process_instance WHERE process_id = '" + houses.get(3) + "'",
                "command WHERE correlation_id = '" + houses.get(3) + "'",
                "outbox WHERE destination = 'op.old'")) {
            assertThat(count(gone)).as(gone).isZero();
        }
        for (String line : List.of(
                "retry " + houses.get(0) + " --reason why",
                "skip " + houses.get(1) + " --reason why",
                "resolve " + houses.get(2) + " --reason why",
                "pause " + process,
                "resume " + process,
                "cancel " + process + " --reason why",
                "signal " + process + " --name Colour")) {
            var asked = Cli.run(("process " + line + " --wait 0 --db " + users.url(operator)).split(" ", -1));
            assertThat(asked.out()).as(line + ": " + asked.err()).contains("not taken yet");
        }
        assertThat(Cli.run(
                                "process",
                                "start",
                                "House",
                                "--key",
                                "op",
                                "--wait",
                                "0",
                                "--reason",
                                "why",
                                "--db",
                                users.url(operator))
                        .out())
                .contains("not taken yet");
        assertThat(Cli.run("doctor", "--db", users.url(operator)).out()).contains("those of an operator");
        assertThat(Cli.run("schema", "apply", "--db", users.url(operator), "--table-prefix", "op_")
                        .err())
                .contains("waybill schema grants --role migration");
        execute("REVOKE DELETE ON failed_message FROM " + users.account(operator));
        assertThat(Cli.run("failed", "discard", "--db", users.url(operator), "--all", "--reason", "why")
                        .exitCode())
                .isZero();
        execute("REVOKE SELECT ON command FROM " + users.account(operator));
        assertThat(Cli.run("command", "list", "--db", users.url(operator)).err())
                .contains("lacks rights of the role operator", "GRANT DELETE ON failed_message TO")
                .containsPattern("GRANT SELECT[A-Z, ]* ON command TO");
        assertRefused(operator, "SELECT * FROM salaries");
        assertRefused(operator, "INSERT INTO process_instance (process_id) VALUES (NULL)");
        assertRefused(operator, "DELETE FROM operation_log");
        assertRefused(operator, "CREATE TABLE mine (id INT)");
    }
}
