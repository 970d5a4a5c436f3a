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
    void the_tour_shows_the_whole_journey_and_ends_by_itself() {
        assertThat(run("demo", "--tour")).isZero();

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
    void a_wrong_port_or_time_is_refused_before_anything_starts() {
        assertThat(run("demo", "--port", "70000")).isEqualTo(2);
        assertThat(run("demo", "--seconds", "0")).isEqualTo(2);

        assertThat(err.toString()).contains("--port is 70000", "--seconds is 0");
        assertThat(out.toString()).isEmpty();
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
