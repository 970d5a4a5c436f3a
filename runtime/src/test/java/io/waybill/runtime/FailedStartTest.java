package io.waybill.runtime;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.waybill.testkit.services.H2;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** An instance whose start fails lets its JVM end. */
class FailedStartTest {

    @Test
    void a_program_whose_instance_does_not_start_ends() throws Exception {
        Process program = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        Program.class.getName())
                .redirectErrorStream(true)
                .start();
        try {
            assertThat(program.waitFor(30, TimeUnit.SECONDS))
                    .as("the JVM has ended")
                    .isTrue();
            assertThat(program.exitValue()).isEqualTo(1);
            assertThat(new String(program.getInputStream().readAllBytes(), UTF_8))
                    .contains("but not received from there");
        } finally {
            program.destroyForcibly();
        }
    }

    /** Its relay starts, and then its consumers cannot. */
    static final class Program {

        private Program() {}

        public static void main(String[] arguments) {
            Waybill.on(H2.newDatabase().dataSource())
                    .handlers(new WaybillTest.Doubling())
                    .commandsFrom("stdout:")
                    .start();
        }
    }
}
