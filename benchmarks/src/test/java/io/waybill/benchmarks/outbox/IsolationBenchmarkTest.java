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

class IsolationBenchmarkTest {

    @Test
    void a_little_trouble_gives_a_table() throws Exception {
        var settings = new BenchmarkSettings(1_000, 0, 1, Duration.ofSeconds(1), false, false);
        var lab = Lab.with(Postgres.shared(), settings, new PrintWriter(new StringWriter()));

        String table = Report.of(new IsolationBenchmark(), lab).asMarkdown();

        assertThat(table)
                .contains("beside 10,000 rows of a dead destination", "beside 100 blocked keys with 5 followers each");
    }
}
