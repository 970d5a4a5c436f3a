package io.waybill.spring.thread;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Compiled for Java 17, and run on a JDK that has virtual threads: the one of the tests, or one that is installed beside it. */
final class VirtualThreadsTest {

    private static final int FIRST = 21;

    @Test
    void virtual_threads_append_and_send_in_their_transactions() throws Exception {
        Optional<Path> jdk = newerJdk();
        assumeTrue(
                jdk.isPresent(),
                "NOT TESTED: virtual threads, because there is no JDK of " + FIRST + " or later beside this one");
        Process process = new ProcessBuilder(
                        jdk.orElseThrow().resolve("bin/java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("java.class.path"),
                        VirtualApplication.class.getName())
                .redirectErrorStream(true)
                .start();
        String output = new String(process.getInputStream().readAllBytes(), UTF_8);

        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue()).as(output).isZero();
    }

    private static Optional<Path> newerJdk() throws IOException {
        Path here = Path.of(System.getProperty("java.home")).toRealPath();
        if (Runtime.version().feature() >= FIRST) {
            return Optional.of(here);
        }
        try (Stream<Path> installed = Files.list(Objects.requireNonNull(here.getParent()))) {
            return installed
                    .filter(jdk -> Files.isExecutable(jdk.resolve("bin/java")) && version(jdk) >= FIRST)
                    .findFirst();
        }
    }

    /** By the file that every JDK has: {@code JAVA_VERSION="25.0.1"}. */
    private static int version(Path jdk) {
        try (Stream<String> lines = Files.lines(jdk.resolve("release"))) {
            return lines.filter(line -> line.startsWith("JAVA_VERSION="))
                    .map(line -> line.replaceAll("[^0-9.]", "").split("\\.", 2)[0])
                    .findFirst()
                    .map(Integer::parseInt)
                    .orElse(0);
        } catch (IOException e) {
            return 0;
        }
    }
}
