package io.waybill.server.relay;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.rabbitmq.client.ConnectionFactory;
import com.rabbitmq.client.GetResponse;
import io.waybill.server.Cli;
import io.waybill.server.Eventually;
import io.waybill.testkit.services.broker.KafkaNode;
import io.waybill.testkit.services.broker.Rabbit;
import io.waybill.testkit.services.database.MariaDb;
import io.waybill.testkit.services.database.Postgres;
import io.waybill.testkit.services.database.TestDatabase;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tables of others on the brokers their users have: rows by plain SQL, messages read with the brokers' bare clients. */
class LayoutsOnBrokersTest {

    private static final int ROWS = 300;
    private static final int KEYS = 7;

    abstract static class Contract {

        TestDatabase database;
        String url;

        @TempDir
        Path directory;

        @SuppressWarnings("NullAway.Init")
        Contract() {}

        abstract TestDatabase open();

        /** UTC, without a zone. */
        abstract String now();

        @BeforeEach
        void openDatabase() {
            database = open();
            url = RelayServiceContract.url(database);
        }

        @AfterEach
        void closeDatabase() {
            database.close();
        }

        @Test
        void a_kafka_outbox_arrives_in_kafka_with_its_keys_headers_and_order() throws Exception {
            String topic = KafkaNode.shared().newTopic(4);
            Cli.run("schema", "apply", "--db", url, "--layout", "kafka-outbox");
            String columns = url.startsWith("postgresql")
                    ? "(topic, payload_json, payload_headers, key, partition_key)"
                    : "(topic, payload_json, payload_headers, `key`, partition_key)";
            insert(n -> Cli.filled(
                    "INSERT INTO kafka_outbox %s VALUES ('%s', '{\"n\":%d}', '{\"trace\":\"t%d\"}', 'order-%d', 'customer-%d')",
                    columns, topic, n, n, n, n % KEYS));

            var sent = Cli.run(
                    "relay",
                    "run",
                    "--db",
                    url,
                    "--layout",
                    "kafka-outbox",
                    "--to",
                    "kafka://" + KafkaNode.shared().bootstrapServers(),
                    "--once");

            assertThat(sent.out()).as(sent.err()).contains(ROWS + " messages sent, 0 failed, 0 pending");
            List<ConsumerRecord<String, String>> records = records(topic);
            assertThat(records).hasSize(ROWS).allSatisfy(record -> {
                int n = number(record.value());
                assertThat(record.key()).isEqualTo("order-" + n);
                Header trace = record.headers().lastHeader("trace");
                assertThat(new String(trace.value(), UTF_8)).isEqualTo("t" + n);
                assertThat(record.headers().toArray())
                        .noneMatch(header -> new String(header.value(), UTF_8).contains("customer"));
            });
            inOrderOfTheirKeys(
                    records.stream().map(record -> number(record.value())).toList());
            Map<Integer, List<Integer>> partitions = records.stream()
                    .collect(Collectors.groupingBy(
                            record -> number(record.value()) % KEYS,
                            Collectors.mapping(ConsumerRecord::partition, Collectors.toList())));
            assertThat(partitions.values())
                    .as("all of one partition key are in one partition")
                    .allMatch(of -> of.stream().distinct().count() == 1);
        }

        @Test
        void an_ordered_messenger_queue_arrives_in_rabbitmq_with_name_id_and_order() throws Exception {
            String queue = Rabbit.shared().newQueue();
            String dsn = "ordered-doctrine://default?table_name=messenger_outbox&queue_name=outbox";
            Cli.run("schema", "apply", "--db", url, "--layout", dsn);
            insert(n -> Cli.filled(
                    "INSERT INTO messenger_outbox (body, headers, queue_name, partition_key, created_at, available_at)"
                            + " VALUES ('{\"n\":%d}', '{\"type\":\"order.placed\",\"Content-Type\":\"application/json\"}', 'outbox',"
                            + " 'customer-%d', %s, %s)",
                    n, n % KEYS, now(), now()));
            Path config = Files.writeString(
                    directory.resolve("relay.yaml"),
                    Cli.filled("""
                    sources: [{name: shop, db: "%s", layout: "%s"}]
                    routes: [{match: outbox, to: "%s", name: "%s"}]
                    """, url, dsn, Rabbit.shared().url(), queue));

            var sent = Cli.run("relay", "run", "--config", config.toString(), "--once");

            assertThat(sent.out()).as(sent.err()).contains(ROWS + " messages sent, 0 failed, 0 pending");
            List<GetResponse> messages = messages(queue);
            assertThat(messages).hasSize(ROWS).allSatisfy(message -> {
                assertThat(message.getProps().getType()).isEqualTo("order.placed");
                assertThat(message.getProps().getMessageId()).isNotEmpty();
                assertThat(String.valueOf(message.getProps().getHeaders())).doesNotContain("customer");
            });
            assertThat(messages.stream().map(message -> message.getProps().getMessageId()))
                    .doesNotHaveDuplicates();
            inOrderOfTheirKeys(messages.stream()
                    .map(message -> number(new String(message.getBody(), UTF_8)))
                    .toList());
        }

        private interface Row {
            String insert(int number);
        }

        private void insert(Row row) throws Exception {
            try (var connection = database.dataSource().getConnection();
                    var statement = connection.createStatement()) {
                for (int n = 0; n < ROWS; n++) {
                    statement.addBatch(row.insert(n));
                }
                statement.executeBatch();
            }
        }
    }

    private static void inOrderOfTheirKeys(List<Integer> numbers) {
        Map<Integer, List<Integer>> byKey = new HashMap<>();
        numbers.forEach(
                n -> byKey.computeIfAbsent(n % KEYS, key -> new ArrayList<>()).add(n));
        byKey.forEach((key, of) -> assertThat(of)
                .isEqualTo(IntStream.range(0, ROWS)
                        .filter(n -> n % KEYS == key)
                        .boxed()
                        .toList()));
    }

    private static int number(String payload) {
        return Integer.parseInt(payload.replaceAll("\\D", ""));
    }

    private static List<ConsumerRecord<String, String>> records(String topic) {
        List<ConsumerRecord<String, String>> records = new ArrayList<>();
        try (var consumer = new KafkaConsumer<>(
                Map.of(
                        "bootstrap.servers",
                        KafkaNode.shared().bootstrapServers(),
                        "group.id",
                        topic,
                        "auto.offset.reset",
                        "earliest",
                        "isolation.level",
                        "read_committed"),
                new StringDeserializer(),
                new StringDeserializer())) {
            consumer.subscribe(List.of(topic));
            Eventually.is(() -> {
                consumer.poll(Duration.ofMillis(100)).forEach(records::add);
                assertThat(records).hasSizeGreaterThanOrEqualTo(ROWS);
            });
        }
        return records;
    }

    private static List<GetResponse> messages(String queue) throws Exception {
        var factory = new ConnectionFactory();
        factory.setUri(Rabbit.shared().url());
        List<GetResponse> messages = new ArrayList<>();
        try (var connection = factory.newConnection();
                var channel = connection.createChannel()) {
            for (var next = channel.basicGet(queue, true); next != null; next = channel.basicGet(queue, true)) {
                messages.add(next);
            }
        }
        return messages;
    }

    @Nested
    class OnPostgres extends Contract {
        @Override
        TestDatabase open() {
            return Postgres.shared().newDatabase();
        }

        @Override
        String now() {
            return "date_trunc('second', now() AT TIME ZONE 'UTC')";
        }
    }

    @Nested
    class OnMariaDb extends Contract {
        @Override
        TestDatabase open() {
            return MariaDb.shared().newDatabase();
        }

        @Override
        String now() {
            return "UTC_TIMESTAMP()";
        }
    }
}
