package io.waybill.benchmarks.harness;

import static java.util.stream.Collectors.joining;

import io.waybill.benchmarks.workload.BenchmarkDatabase;
import io.waybill.benchmarks.workload.Workload;
import java.io.IOException;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/** On what the figures were measured: without it they mean little. */
final class MachineFacts {

    private static final List<String> SERVER_SETTINGS =
            List.of("synchronous_commit", "fsync", "full_page_writes", "shared_buffers", "max_wal_size", "autovacuum");

    private MachineFacts() {}

    static List<String> of(Lab lab) throws SQLException {
        return List.of(machine(lab), java(), postgres(lab), messages(lab.settings()));
    }

    private static String machine(Lab lab) {
        return LocalDate.now(ZoneOffset.UTC) + ", " + Runtime.getRuntime().availableProcessors() + " cores, "
                + processor() + String.format(Locale.ROOT, ", load average before %.1f", lab.loadBefore());
    }

    private static String processor() {
        try (Stream<String> lines = Files.lines(Path.of("/proc/cpuinfo"))) {
            return lines.filter(line -> line.startsWith("model name"))
                    .map(line -> line.substring(line.indexOf(':') + 1).strip())
                    .findFirst()
                    .orElse("processor unknown");
        } catch (IOException e) {
            return System.getProperty("os.arch");
        }
    }

    private static String java() {
        String collectors = ManagementFactory.getGarbageCollectorMXBeans().stream()
                .map(GarbageCollectorMXBean::getName)
                .collect(joining(", "));
        return System.getProperty("java.vm.name") + " " + Runtime.version() + ", heap at most "
                + Unit.MEGABYTES.print(Runtime.getRuntime().maxMemory() / 1e6) + ", " + collectors;
    }

    private static String postgres(Lab lab) throws SQLException {
        try (BenchmarkDatabase database = lab.newDatabase()) {
            var facts = new StringBuilder("PostgreSQL " + database.ask("SHOW server_version"));
            for (String setting : SERVER_SETTINGS) {
                facts.append(", ").append(setting).append(' ').append(database.ask("SHOW " + setting));
            }
            return facts.toString();
        }
    }

    private static String messages(BenchmarkSettings settings) {
        return String.format(
                Locale.ROOT,
                "%,d messages of %d bytes, unless the line says otherwise",
                settings.messages(),
                Workload.PAYLOAD_BYTES);
    }
}
