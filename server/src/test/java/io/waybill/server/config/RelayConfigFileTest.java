package io.waybill.server.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.waybill.Backoff;
import io.waybill.jdbc.layout.AdoptedTable;
import io.waybill.jdbc.layout.table.ColumnMeaning;
import io.waybill.jdbc.layout.table.Layout;
import io.waybill.server.Cli;
import io.waybill.server.Eventually;
import io.waybill.store.outbox.OnExhausted;
import io.waybill.transport.Transports;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RelayConfigFileTest {

    @Test
    void sources_and_routes_are_read() {
        RelayConfig config = parse("""
                sources:
                  - name: shop
                    db: postgresql://waybill@db1/shop
                    password: ${SHOP_PASSWORD}
                    layout: kafka-outbox
                    retention: 2d
                    poll: 50ms
                  - name: php
                    db: mariadb://php@db2/php
                    layout: ordered-doctrine://default?queue_name=outbox&auto_setup=false
                  - name: own
                    db: jdbc:h2:mem:own
                    table-prefix: wb_
                routes:
                  - match: "orders.**"
                    to: "kafka://k1:9092"
                    name: "shop.{destination}"
                    format: cloudevents-binary
                    max-attempts: 3
                    backoff: {base: 5s, cap: 10m}
                    on-exhausted: skip
                    sources: [shop]
                  - to: "stdout:"
                """);

        assertThat(config.sources()).extracting(RelayConfig.Source::name).containsExactly("shop", "php", "own");
        RelayConfig.Source shop = config.sources().get(0);
        assertThat(shop.database().password()).isEqualTo("s3cret");
        assertThat(shop.layout()).map(Layout::name).contains("kafka-outbox");
        assertThat(shop.retention()).isEqualTo(Duration.ofDays(2));
        assertThat(shop.relay().sweepInterval()).isEqualTo(Duration.ofMillis(50));
        assertThat(config.sources().get(1).setup()).isEqualTo(AdoptedTable.Setup.NOTHING);
        assertThat(config.sources().get(2).layout()).isEmpty();
        assertThat(config.destinations().get(0).onExhausted()).isEqualTo(OnExhausted.SKIP);
        assertThat(config.of(shop)).hasSize(2);
        assertThat(config.of(shop))
                .extracting(one -> one.route(Transports.open("stdout:"), shop).backoff())
                .containsExactly(
                        new Backoff(Duration.ofSeconds(5), Duration.ofMinutes(10), Backoff.DEFAULT.jitter()),
                        Backoff.DEFAULT);
        assertThat(config.of(config.sources().get(1))).hasSize(1);
    }

    @Test
    void any_table_is_described_by_its_columns() {
        RelayConfig config = parse("""
                sources:
                  - name: events
                    db: jdbc:h2:mem:events
                    layout: mapping
                    table: events
                    destination: shop
                    columns: {id: event_no, payload: body, partition-key: customer}
                    pending: {state: NEW, sent_at: null}
                    done: {state: SENT, sent_at: now()}
                    failed: {state: FAILED}
                routes: [{to: "stdout:"}]
                """);

        Layout layout = config.sources().get(0).layout().orElseThrow();
        assertThat(layout.columns())
                .isEqualTo(Map.of(
                        ColumnMeaning.ID,
                        "event_no",
                        ColumnMeaning.PAYLOAD,
                        "body",
                        ColumnMeaning.PARTITION_KEY,
                        "customer"));
        assertThat(layout.pending()).isEqualTo(Map.of("state", "NEW", "sent_at", Layout.NULL));
        assertThat(layout.done()).isEqualTo(Map.of("state", "SENT", "sent_at", Layout.NOW));
    }

    @Test
    void every_mistake_is_reported_at_once_with_key_value_and_rule() {
        assertThatThrownBy(() -> parse("""
                        sources:
                          - name: shop
                            db: postgresql//nowhere
                            layuot: kafka-outbox
                            poll: fast
                            batch-size: 0
                          - db: jdbc:h2:mem:x
                            layout: pigeon
                            password: ${UNSET}
                          - name: events
                            db: jdbc:h2:mem:y
                            layout: mapping
                            table: events
                            columns: {id: no, paylaod: body}
                        routes:
                          - match: "**"
                            to: kafka
                            on-exhausted: explode
                            backoff: {base: 2m, jitter: 2}
                            required-queues: [Reply]
                            sources: [shp]
                        extra: 1
                        """))
                .hasMessageContaining("test.yaml has ")
                .hasMessageContaining("sources[0].db")
                .hasMessageContaining("sources[0].layuot: *** is not known here (did you mean 'layout'?); known are ")
                .hasMessageContaining("sources[0].poll: fast must be a duration such as 200ms")
                .hasMessageContaining("sources[0].batch-size: 0 must be a whole number, 1 or more")
                .hasMessageContaining("sources[1].name is missing")
                .hasMessageContaining("sources[1].layout: pigeon is refused")
                .hasMessageContaining("sources[1].password: *** names the variable UNSET, which is not set")
                .hasMessageContaining("sources[2].columns.paylaod: *** is not known here (did you mean 'payload'?)")
                .hasMessageContaining("sources[2].done is missing")
                .hasMessageContaining("routes[0].on-exhausted: explode must be one of park, skip, block")
                .hasMessageContaining("routes[0].backoff.cap: 60s must not be below base (120s)")
                .hasMessageContaining("routes[0].backoff.jitter: 2 must be a number between 0 and 1")
                .hasMessageContaining("routes[0].required-queues: *** is for jms+ibmmq:// and jms+artemis:// only")
                .hasMessageContaining("routes[0].sources: shp is not the name of a source")
                .hasMessageContaining("extra: *** is not known here");
    }

    @Test
    void every_route_that_cannot_be_opened_is_named_in_one_run(@TempDir Path directory) throws Exception {
        Path file = Files.writeString(directory.resolve("relay.yaml"), """
                sources:
                  - {name: shop, db: "jdbc:h2:mem:x"}
                routes:
                  - {match: a, to: "kafka://broker:9092?akcs=all"}
                  - {match: b, to: "pigeon://loft"}
                  - {match: c, to: "amqp://broker?mandatry=true"}
                """);

        var run = Cli.run("relay", "run", "--config", file.toString());

        assertThat(run.exitCode()).isEqualTo(2);
        assertThat(run.err()).contains("akcs", "Nothing here opens pigeon://loft", "mandatry");
        assertThat(Cli.run("outbox", "list", "--destinaton", "orders").err())
                .contains("Unknown option: --destinaton. Did you mean '--destination'?");
    }

    @Test
    void what_is_no_yaml_and_what_is_empty_is_said() {
        assertThatThrownBy(() -> parse("sources: [")).hasMessageContaining("test.yaml is not YAML");
        assertThatThrownBy(() -> parse("")).hasMessageContaining("sources is missing");
        assertThatThrownBy(() -> parse("[".repeat(200_000))).hasMessage("test.yaml is nested too deeply.");
    }

    @Test
    void a_file_that_is_far_too_large_is_refused_at_once_and_the_next_one_is_used(@TempDir Path directory)
            throws IOException {
        Path file = directory.resolve("relay.yaml");
        String good = "sources: [{name: a, db: 'jdbc:h2:mem:a'}]\nroutes: [{to: 'stdout:'}]\n";
        Files.writeString(file, good);
        var used = new AtomicInteger();
        var refused = new AtomicReference<>("");
        try (var watch = ConfigWatch.start(file, config -> used.incrementAndGet(), refused::set)) {
            Files.writeString(file, "#" + "x".repeat(50_000_000));
            Eventually.is(() -> assertThat(refused.get()).contains("relay.yaml has 50000001 bytes", "at most 1 MB"));
            Files.writeString(file, good + "# later\n");
            Eventually.is(() -> assertThat(used).hasValue(1));
            assertThat(refused).hasValue("");
            assertThat(watch).isNotNull();
        }
    }

    private static RelayConfig parse(String yaml) {
        return RelayConfigFile.parse("test.yaml", yaml, name -> name.equals("SHOP_PASSWORD") ? "s3cret" : null);
    }
}
