package io.waybill.server.demo;

import static org.assertj.core.api.Assertions.assertThat;

import io.waybill.server.Main;
import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;

class DemoTest {

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @Test
    void the_demo_shows_the_whole_journey_and_ends_by_itself() {
        assertThat(run("demo")).isZero();

        assertThat(out.toString())
                .containsSubsequence(
                        "business",
                        "append",
                        "commit",
                        "claim",
                        "publish",
                        "receive",
                        "handle",
                        "settle",
                        "ignore",
                        "roll back",
                        "0 messages waiting")
                .contains("orders 1, invoices 1, messages dispatched 1, handled 1");
        assertThat(err.toString()).isEmpty();
    }

    @Test
    void help_names_the_commands() {
        assertThat(run()).isZero();
        assertThat(out.toString()).contains("demo", "Exit codes");
    }

    @Test
    void an_unknown_command_is_a_usage_error() {
        assertThat(run("nonsense")).isEqualTo(2);
        assertThat(err.toString()).contains("nonsense");
    }

    private int run(String... arguments) {
        return Main.commandLine()
                .setOut(new PrintWriter(out))
                .setErr(new PrintWriter(err))
                .execute(arguments);
    }
}
