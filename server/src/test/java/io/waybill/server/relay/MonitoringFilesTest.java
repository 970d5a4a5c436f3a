package io.waybill.server.relay;

import static java.util.stream.Collectors.toSet;
import static org.assertj.core.api.Assertions.assertThat;

import io.waybill.server.Cli;
import io.waybill.server.Eventually;
import io.waybill.server.config.ListenAddress;
import io.waybill.server.config.RelayConfigFile;
import io.waybill.testkit.services.database.Postgres;
import io.waybill.testkit.services.database.TestDatabase;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;

/** The dashboard, the alerts and the page about meters name what a running service shows. */
class MonitoringFilesTest {

    private static final Path DOCS = Path.of("..", "docs");
    private static final Pattern METRIC = Pattern.compile("\\b(?:waybill|hikaricp|jvm|process|system)_[a-z_]+");
    private static final Pattern SELECTED = Pattern.compile("(\\w+)\\s*(?:=~|!~|!=|=)\\s*\"");
    private static final Pattern GROUPED = Pattern.compile("\\b(?:by|on|without|ignoring)\\s*\\(([^)]*)\\)");
    private static final Pattern SHOWN = Pattern.compile("\\{\\{\\s*(?:\\$labels\\.)?(\\w+)\\s*}}");
    private static final Pattern SAMPLE = Pattern.compile("([a-z_]+)(?:\\{(.*)})? \\S+");
    private static final Pattern LABEL = Pattern.compile("(\\w+)=\"");
    private static final Set<String> OF_PROMETHEUS = Set.of("job", "instance");

    @TempDir
    static Path directory;

    private static String page = "";

    /** The labels of every sample, by its name. */
    private static final Map<String, Set<String>> samples = new TreeMap<>();

    @BeforeAll
    static void scrape() throws Exception {
        try (TestDatabase database = Postgres.shared().newDatabase()) {
            String url = RelayServiceContract.url(database);
            Cli.run("schema", "apply", "--db", url);
            database.execute(MetricsTest.RUNNING_PROCESS);
            database.execute(
                    "INSERT INTO outbox (destination, payload, status) VALUES ('orders', '1', 'PENDING'), ('orders', '2', 'FAILED')");
            var config = RelayConfigFile.parse(
                    "test.yaml",
                    "sources: [{name: shop, db: \"" + url + "\"}]\nroutes: [{to: \"file:" + directory.resolve("out")
                            + "\"}]\n",
                    name -> null);
            try (var service = RelayService.start(config);
                    var health = HealthServer.start(ListenAddress.parse("0"), service)) {
                var request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + health.port() + "/metrics"))
                        .build();
                Eventually.is(() -> {
                    page = HttpClient.newHttpClient()
                            .send(request, BodyHandlers.ofString())
                            .body();
                    assertThat(page)
                            .contains(
                                    // The last of those that a destination has.
                                    "waybill_relay_failed_total{",
                                    "waybill_outbox_destination_failed{destination",
                                    "waybill_process_active{");
                });
            }
        }
        page.lines()
                .map(SAMPLE::matcher)
                .filter(java.util.regex.Matcher::matches)
                .forEach(sample -> {
                    Set<String> labels = samples.computeIfAbsent(sample.group(1), none -> new TreeSet<>());
                    if (sample.group(2) != null) {
                        LABEL.matcher(sample.group(2)).results().forEach(label -> labels.add(label.group(1)));
                    }
                });
    }

    @AfterAll
    static void forget() {
        samples.clear();
    }

    @Test
    void every_query_of_the_dashboard_finds_its_metrics_and_labels() throws IOException {
        Map<?, ?> dashboard = map(load("monitoring/grafana-dashboard.json"));
        assertThat(dashboard.get("title")).isEqualTo("Waybill relay service");
        assertThat(dashboard.get("schemaVersion")).isInstanceOf(Integer.class);
        List<Map<?, ?>> panels = maps(dashboard.get("panels"));
        assertThat(panels.stream().map(panel -> panel.get("id")).collect(toSet()))
                .as("ids are unique")
                .hasSameSizeAs(panels);

        int queries = 0;
        for (Map<?, ?> panel : panels) {
            assertThat(panel.get("type")).isIn("row", "stat", "timeseries");
            assertThat(map(panel.get("gridPos")).keySet().stream().map(String::valueOf))
                    .containsExactlyInAnyOrder("h", "w", "x", "y");
            List<Map<?, ?>> targets = panel.get("targets") == null ? List.of() : maps(panel.get("targets"));
            assertThat(targets.isEmpty()).isEqualTo("row".equals(panel.get("type")));
            for (Map<?, ?> target : targets) {
                queries++;
                check(String.valueOf(target.get("expr")), String.valueOf(target.get("legendFormat")));
            }
        }
        assertThat(queries).isGreaterThan(15);
        for (Map<?, ?> variable : maps(map(dashboard.get("templating")).get("list"))) {
            if (variable.get("definition") != null) {
                check(String.valueOf(variable.get("definition")), "");
            }
        }
    }

    @Test
    void every_alert_is_one_that_prometheus_takes_and_finds_its_metrics_and_labels() throws IOException {
        List<Map<?, ?>> groups =
                maps(map(load("monitoring/prometheus-rules.yaml")).get("groups"));
        assertThat(groups)
                .singleElement()
                .satisfies(group -> assertThat(group.get("name")).isEqualTo("waybill-relay"));
        Set<Object> names = new HashSet<>();
        for (Map<?, ?> rule : maps(groups.get(0).get("rules"))) {
            assertThat(rule.keySet().stream().map(String::valueOf))
                    .isSubsetOf("alert", "expr", "for", "labels", "annotations");
            assertThat(String.valueOf(rule.get("alert"))).matches("Waybill[A-Za-z]+");
            assertThat(names.add(String.valueOf(rule.get("alert")))).isTrue();
            if (rule.get("for") != null) {
                assertThat(String.valueOf(rule.get("for"))).matches("\\d+(s|m|h)");
            }
            assertThat(String.valueOf(map(rule.get("labels")).get("severity"))).isIn("warning", "critical");
            Map<?, ?> annotations = map(rule.get("annotations"));
            check(String.valueOf(rule.get("expr")), annotations.get("summary") + " " + annotations.get("description"));
        }
        assertThat(names).hasSizeGreaterThan(8);
    }

    @Test
    void the_page_about_meters_lists_exactly_what_the_service_has() throws IOException {
        Set<String> documented = documented("relay");
        Set<String> shown = page.lines()
                .filter(line -> line.startsWith("# TYPE waybill_") || line.startsWith("# TYPE hikaricp_"))
                .map(line -> line.split(" ", -1)[2]
                        .replaceFirst("(_seconds|_total)?(_max)?$", "")
                        .replaceFirst("_seconds$", ""))
                .collect(toSet());
        shown.add("hikaricp_connections_max");
        shown.remove("hikaricp_connections");

        assertThat(shown)
                .containsExactlyInAnyOrderElementsOf(
                        documented.stream().map(name -> name.replace('.', '_')).toList());
    }

    private static Set<String> documented(String where) throws IOException {
        Set<String> names = new TreeSet<>();
        for (String line : Files.readAllLines(DOCS.resolve("monitoring.md"))) {
            String[] cells = line.split("\\|", -1);
            if (line.startsWith("| `")
                    && cells.length > 4
                    && Arrays.asList(cells[3].strip().split(", ", -1)).contains(where)) {
                Pattern.compile("`([a-z.]+)`").matcher(cells[1]).results().forEach(name -> names.add(name.group(1)));
            }
        }
        return names;
    }

    /** Every metric is on the page, and every label is one of the metrics of the query. */
    private static void check(String query, String text) {
        Set<String> metrics = found(METRIC, query, 0);
        assertThat(metrics).as(query).isNotEmpty();
        assertThat(samples.keySet()).as(query).containsAll(metrics);
        Set<String> known = new HashSet<>(OF_PROMETHEUS);
        metrics.forEach(metric -> known.addAll(samples.getOrDefault(metric, Set.of())));
        List<String> used = new ArrayList<>(found(SELECTED, query, 1));
        GROUPED.matcher(query)
                .results()
                .flatMap(group -> Stream.of(group.group(1).split("\\s*,\\s*", -1)))
                .forEach((Consumer<String>) used::add);
        used.addAll(found(SHOWN, text.replace("{{ $value", "{{ ,"), 1));
        assertThat(known).as(query + " " + text).containsAll(used);
    }

    private static Set<String> found(Pattern pattern, String text, int group) {
        return pattern.matcher(text).results().map(one -> one.group(group)).collect(toSet());
    }

    private static Object load(String file) throws IOException {
        return new Load(LoadSettings.builder().build()).loadFromString(Files.readString(DOCS.resolve(file)));
    }

    private static Map<?, ?> map(@Nullable Object value) {
        assertThat(value).isInstanceOf(Map.class);
        return (Map<?, ?>) value;
    }

    private static List<Map<?, ?>> maps(@Nullable Object value) {
        assertThat(value).isInstanceOf(List.class);
        List<Map<?, ?>> maps = new ArrayList<>();
        ((List<?>) value).forEach(one -> maps.add(map(one)));
        return maps;
    }
}
