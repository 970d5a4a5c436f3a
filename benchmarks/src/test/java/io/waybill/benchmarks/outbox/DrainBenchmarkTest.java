package io.waybill.benchmarks.outbox;

import static org.assertj.core.api.Assertions.assertThat;

import io.waybill.benchmarks.harness.BenchmarkSettings;
import io.waybill.benchmarks.harness.Lab;
import io.waybill.benchmarks.harness.Report;
import io.waybill.testkit.services.database.Postgres;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class DrainBenchmarkTest {

    @Test
    void a_drain_of_few_messages_gives_a_table() throws Exception {
        var settings = new BenchmarkSettings(2_000, 0, 1, Duration.ofSeconds(1), false, false);
        var lab = Lab.with(Postgres.shared(), settings, new PrintWriter(new StringWriter()));

        String table = Report.of(new DrainBenchmark(), lab).asMarkdown();

        assertThat(table).contains("| measured | figure | beside |", "SELECT + UPDATE, 1 thread", "PostgreSQL 18");
    }
}
