package io.waybill.testkit.services.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class ChildProcessesTest {

    private static final String PID = "pid";

    @Test
    void what_a_killed_jvm_has_started_ends_and_leaves_no_data() throws Exception {
        Path directory = TempDirectory.create("children");
        Process jvm = new ProcessBuilder(
                        ProcessHandle.current().info().command().orElseThrow(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        Parent.class.getName(),
                        directory.toString())
                .inheritIO()
                .start();
        ProcessHandle child = await().ignoreExceptions()
                .until(() -> ChildProcesses.ofPidFile(directory.resolve(PID)), ProcessHandle::isAlive);

        jvm.destroyForcibly();

        await().untilAsserted(() -> assertThat(child.isAlive()).isFalse());
        await().untilAsserted(() -> assertThat(directory).doesNotExist());
    }

    /** Starts a child with its data in the directory it is given, and waits to be killed. */
    static final class Parent {

        public static void main(String[] directory) throws Exception {
            Path data = Path.of(directory[0]);
            Process child = new ProcessBuilder("sleep", "600").start();
            ChildProcesses.endWithThisJvm(child.toHandle(), data);
            Files.writeString(data.resolve(PID), Long.toString(child.pid()));
            child.waitFor();
        }
    }
}
