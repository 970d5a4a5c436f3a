package io.waybill.server.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.waybill.server.Cli;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.sql.SQLException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What somebody wrote into a row does nothing to the terminal of whoever looks at it, and nothing is changed unasked. */
class TerminalSafetyTest {

    private static final String ESCAPE = "\u001b[2J\u009b31m\u202e";

    @TempDir
    Path directory;

    private String url;

    @SuppressWarnings("NullAway.Init")
    TerminalSafetyTest() {}

    @BeforeEach
    void writeRows() throws SQLException {
        url = "jdbc:h2:" + directory.resolve("shop") + ";USER=sa";
        assertThat(Cli.run("schema", "apply", "--db", url).exitCode()).isZero();
        try (var connection = DriverManager.getConnection(url);
                var insert =
                        connection.prepareStatement("INSERT INTO outbox (destination, type, partition_key, payload,"
                                + " status, last_error) VALUES (?, ?, ?, ?, 'FAILED', ?)")) {
            for (int i = 1; i <= 5; i++) {
                insert.setString(i, "a" + ESCAPE + "b");
            }
            insert.executeUpdate();
        }
    }

    @Test
    void control_characters_of_any_value_are_shown_escaped() {
        for (String[] command : new String[][] {
            {"outbox", "list", "--db", url},
            {"outbox", "list", "--db", url, "-o", "json"},
            {"outbox", "stats", "--db", url},
            {"outbox", "tail", "--db", url, "--once"},
            {"outbox", "tail", "--db", url, "--once", "-o", "ndjson"},
        }) {
            String out = Cli.run(command).out();
            assertThat(out).contains("\\u001b[2J\\u009b31m").doesNotContain("\u001b", "\u009b", "\u202e");
        }
    }

    @Test
    void a_change_where_nobody_can_be_asked_needs_a_yes() {
        var unasked = Cli.exactly("outbox", "discard", "--all", "--reason", "test", "--db", url);
        var counted = Cli.exactly("outbox", "discard", "--all", "--reason", "test", "--db", url, "--dry-run");
        var asked = Cli.exactly("outbox", "discard", "--all", "--reason", "test", "--db", url, "--yes");

        assertThat(unasked.exitCode()).isEqualTo(2);
        assertThat(unasked.err()).contains("add --yes");
        assertThat(counted.out()).contains("1 messages would be discarded");
        assertThat(asked.exitCode()).isZero();
        assertThat(asked.out()).contains("1 messages discarded");
    }
}
