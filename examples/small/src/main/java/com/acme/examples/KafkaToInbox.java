package com.acme.examples;

import io.waybill.message.MessageType;
import io.waybill.runtime.Waybill;
import io.waybill.transport.SubscriptionOptions;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import javax.sql.DataSource;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.serialization.StringSerializer;

/**
 * A message that Kafka has twice takes effect once. Starts a broker of its own, unless another one is given as argument.
 */
public final class KafkaToInbox {

    @MessageType("OrderPlaced")
    public record OrderPlaced(String orderId) {}

    public static void main(String[] args) throws Exception {
        if (args.length > 0) {
            run(args[0]);
            return;
        }
        try (var broker = KafkaNode.start()) {
            System.out.println("Started Kafka at " + broker.address() + " for this example");
            run(broker.address());
        }
    }

    private static void run(String broker) throws Exception {
        String topic = "orders.placed." + UUID.randomUUID();
        if (!isCreated(topic, broker)) {
            System.err.println(
                    "No topic could be made on Kafka at '" + broker
                            + "'. Start a broker there, give another one (./waybill example kafka host:port), or none: then the example starts its own.");
            System.exit(1);
        }
        produce(broker, topic, "o-1", "o-1", "o-2");
        var dataSource = Database.inMemory("kafka", "CREATE TABLE invoice (order_id VARCHAR(20))");

        var waybill = Waybill.on(dataSource).start();
        waybill.subscribe(
                "kafka://" + broker,
                SubscriptionOptions.to(topic, "billing"),
                OrderPlaced.class,
                received -> writeInvoice(received.connection(), received.payload()));

        Wait.until("the last order has its invoice", () -> invoices(dataSource, "o-2") == 1);
        System.out.println("o-1 came twice and has " + invoices(dataSource, "o-1") + " invoice");
        waybill.close();
    }

    private static boolean isCreated(String topic, String broker) throws InterruptedException {
        try (var admin = Admin.create(settings(broker))) {
            admin.createTopics(List.of(new NewTopic(topic, 1, (short) 1))).all().get();
            return true;
        } catch (ExecutionException | KafkaException e) {
            return false;
        }
    }

    private static Map<String, Object> settings(String broker) {
        return Map.of("bootstrap.servers", broker, "request.timeout.ms", 5_000, "default.api.timeout.ms", 5_000);
    }

    /** Somebody sends each order with the same id whenever it tries again. */
    private static void produce(String broker, String topic, String... orders) throws Exception {
        try (var producer = new KafkaProducer<>(settings(broker), new StringSerializer(), new StringSerializer())) {
            for (String order : orders) {
                var record = new ProducerRecord<>(topic, order, "{\"orderId\":\"" + order + "\"}");
                String id = UUID.nameUUIDFromBytes(order.getBytes(StandardCharsets.UTF_8))
                        .toString();
                record.headers().add("message-id", id.getBytes(StandardCharsets.UTF_8));
                record.headers().add("message-type", "OrderPlaced".getBytes(StandardCharsets.UTF_8));
                producer.send(record).get();
            }
        }
    }

    private static void writeInvoice(Connection connection, OrderPlaced placed) throws SQLException {
        try (var insert = connection.prepareStatement("INSERT INTO invoice VALUES (?)")) {
            insert.setString(1, placed.orderId());
            insert.executeUpdate();
        }
    }

    private static int invoices(DataSource dataSource, String order) {
        try (var connection = dataSource.getConnection();
                var count = connection.prepareStatement("SELECT count(*) FROM invoice WHERE order_id = ?")) {
            count.setString(1, order);
            try (var rows = count.executeQuery()) {
                rows.next();
                return rows.getInt(1);
            }
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    private KafkaToInbox() {}
}
