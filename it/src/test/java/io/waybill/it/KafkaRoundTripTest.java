package io.waybill.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.waybill.inbox.Received;
import io.waybill.inbox.ReceivingOptions;
import io.waybill.message.Message;
import io.waybill.ops.FailedMessages.Target;
import io.waybill.runtime.Waybill;
import io.waybill.store.failed.FailedSelection;
import io.waybill.testkit.services.broker.KafkaNode;
import io.waybill.testkit.services.database.Postgres;
import io.waybill.testkit.services.database.TestDatabase;
import io.waybill.transport.SubscriptionOptions;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** One application that sends to Kafka and receives from it, on one database. */
class KafkaRoundTripTest {

    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private volatile boolean broken = true;

    @Test
    void orders_go_through_kafka_and_failed_ones_come_back_by_the_handler_or_by_the_topic() throws Exception {
        String url = "kafka://" + KafkaNode.shared().bootstrapServers();
        String topic = KafkaNode.shared().newTopic(2);
        try (TestDatabase database = Postgres.shared().newDatabase();
                Waybill waybill = Waybill.on(database.dataSource())
                        .receiving(ReceivingOptions.DEFAULT.attempts(1))
                        .route(topic, url)
                        .start()) {
            execute(database, "CREATE TABLE invoice (order_number INT NOT NULL)");
            waybill.subscribe(url, SubscriptionOptions.to(topic, "billing"), String.class, this::bill);

            waybill.transactions().inTransaction(transaction -> waybill.outbox().append(orders(topic, 20)));
            await().atMost(PATIENCE)
                    .untilAsserted(() -> assertThat(invoices(database)).hasSize(18));
            await().atMost(PATIENCE).until(() -> waybill.failedMessages().count(FailedSelection.all()) == 2);

            broken = false;
            long first = waybill.failedMessages()
                    .list(FailedSelection.all(), 0, 1)
                    .get(0)
                    .id();
            var one = FailedSelection.of(List.of(first));
            waybill.failedMessages().retry(one, Target.HANDLER, "mended", done -> {});
            waybill.failedMessages().retry(FailedSelection.all(), Target.QUEUE, "mended", done -> {});

            await().atMost(PATIENCE)
                    .untilAsserted(() -> assertThat(invoices(database))
                            .containsExactlyInAnyOrderElementsOf(
                                    IntStream.range(0, 20).boxed().toList()));
            assertThat(waybill.failedMessages().count(FailedSelection.all())).isZero();
        }
    }

    private void bill(Received<String> received) throws SQLException {
        int number = Integer.parseInt(received.payload());
        if (broken && number % 10 == 7) {
            throw new IllegalStateException("no ink for " + number);
        }
        try (var insert = received.connection().prepareStatement("INSERT INTO invoice (order_number) VALUES (?)")) {
            insert.setInt(1, number);
            insert.executeUpdate();
        }
    }

    private static List<Message> orders(String topic, int count) {
        return IntStream.range(0, count)
                .mapToObj(number -> Message.event("OrderPlaced", String.valueOf(number))
                        .to(topic)
                        .inOrderOf(number % 5))
                .toList();
    }

    private static List<Integer> invoices(TestDatabase database) throws SQLException {
        var numbers = new ArrayList<Integer>();
        try (var connection = database.dataSource().getConnection();
                var statement = connection.createStatement();
                var rows = statement.executeQuery("SELECT order_number FROM invoice")) {
            while (rows.next()) {
                numbers.add(rows.getInt(1));
            }
        }
        return numbers;
    }

    private static void execute(TestDatabase database, String sql) throws SQLException {
        try (var connection = database.dataSource().getConnection();
                var statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }
}
