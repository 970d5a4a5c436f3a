package io.waybill.server.database;

import static org.assertj.core.api.Assertions.assertThat;

import io.waybill.jdbc.JdbcStore;
import io.waybill.server.Cli;
import io.waybill.server.DatabaseScenario;
import io.waybill.store.outbox.LeaseStore;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The commands about a database and its tables, and how it is reached, the same on each. */
abstract class DatabaseCommandsContract extends DatabaseScenario {

    @Test
    void the_tables_are_created_once_and_then_left_alone() {
        var first = Cli.run("schema", "apply", "--db", url);
        var second = Cli.run("schema", "apply", "--db", url);

        assertThat(first.err()).isEmpty();
        assertThat(first.exitCode()).isZero();
        assertThat(first.out()).contains("up to date").doesNotContain(database.user() + "@");
        assertThat(second).isEqualTo(first);
    }

    @Test
    void the_statements_are_printed_for_the_database_that_is_asked() {
        var asked = Cli.run("schema", "print", "--db", url, "--table-prefix", "wb_");

        assertThat(asked.exitCode()).isZero();
        assertThat(asked.out()).contains("CREATE TABLE wb_outbox (", "CREATE TABLE wb_outbox_archive (");
    }

    @Test
    void without_tables_the_remedy_is_named() {
        var stats = Cli.run("outbox", "stats", "--db", url);

        assertThat(stats.exitCode()).isEqualTo(1);
        assertThat(stats.err())
                .hasLineCount(1)
                .contains("tables of Waybill are missing", "waybill schema apply")
                .doesNotContain(database.user() + "@");
    }

    @Test
    void a_database_that_does_not_exist_is_said_to_be_missing() {
        var stats = Cli.run("outbox", "stats", "--db", url.substring(0, url.lastIndexOf('/')) + "/nowhere");

        assertThat(stats.exitCode()).isEqualTo(1);
        assertThat(stats.err()).hasLineCount(1).contains("There is no database", "/nowhere");
    }

    @Test
    void a_server_that_is_not_there_is_named() {
        var stats = Cli.run("outbox", "stats", "--db", url.replaceFirst(":[0-9]+/", ":1/"));

        assertThat(stats.exitCode()).isEqualTo(1);
        assertThat(stats.err()).hasLineCount(1).contains("Could not connect to", ":1/");
    }

    @Test
    void an_unknown_user_is_refused() {
        var stats = Cli.run("outbox", "stats", "--db", url.replaceFirst("//[^@]*@", "//nobody@"));

        assertThat(stats.exitCode()).isEqualTo(1);
        assertThat(stats.err()).hasLineCount(1).contains("refused the user or the password");
    }

    @Test
    void the_relays_of_a_table_are_shown() {
        Cli.run("schema", "apply", "--db", url);
        assertThat(Cli.run("relay", "list", "--db", url).out()).contains("No relay serves it");
        JdbcStore store = JdbcStore.on(database.dataSource());
        var leases = store.leaseStore("billing");
        var table = leases.renew("relay-1", ">**", List.of(), Duration.ofMinutes(1));
        leases.take(
                table.rows().subList(0, 3).stream()
                        .map(row -> new LeaseStore.Wanted(row, List.of()))
                        .toList(),
                "relay-1",
                Duration.ofMinutes(1));

        var nodes = Cli.run("relay", "list", "--db", url);

        assertThat(nodes.out().lines().toList().get(1))
                .matches("relay-1\\s+billing\\s+3\\s+\\d+s\\s+\\d+s ago\\s+\\d+s");
    }

    @Test
    void a_password_on_the_command_line_works_with_a_warning() {
        Cli.run("schema", "apply", "--db", url);
        String withPassword = database.jdbcUrl() + "?user=" + database.user() + "&password=" + database.password();

        var stats = Cli.run("outbox", "stats", "--db", withPassword);

        assertThat(stats.exitCode()).isZero();
        assertThat(stats.err()).hasLineCount(1).contains("--password-file").doesNotContain("password=");
    }

    @Test
    void a_wrong_address_is_named_in_one_line() {
        Cli.run("schema", "apply", "--db", url);

        var unknown = Cli.run("relay", "run", "--db", url, "--to", "pigeon://coop", "--once");
        var local = Cli.run("relay", "run", "--db", url, "--to", "local:", "--once");
        var unwritable = Cli.run("relay", "run", "--db", url, "--to", "file:/nowhere/at/all", "--once");

        assertThat(unknown.exitCode()).isEqualTo(2);
        assertThat(unknown.err()).contains("pigeon://coop", "kafka");
        assertThat(local.exitCode()).isEqualTo(2);
        assertThat(local.err()).contains("handlers of the application's own process");
        assertThat(unwritable.exitCode()).isEqualTo(2);
        assertThat(unwritable.err()).contains("/nowhere/at/all");
    }
}
