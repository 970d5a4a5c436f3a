package io.waybill.jdbc.layout;

import java.util.UUID;

/** A row of each layout, as its application writes it. */
final class SampleRows {

    private SampleRows() {}

    /**
     * The statement that inserts a row.
     *
     * @param key empty for none; layouts without a key leave it out
     * @param payload an expression in SQL
     */
    static String insert(String layout, String key, String payload) {
        return switch (layout) {
            case "kafka-outbox" ->
                "INSERT INTO kafka_outbox (topic, payload_json, partition_key) VALUES ('orders', " + payload + ", '"
                        + key + "')";
            case "messenger" ->
                "INSERT INTO messenger_outbox (body, headers, queue_name, created_at, available_at) VALUES (" + payload
                        + ", '[]', 'outbox', '2020-01-01 00:00:00', '2020-01-01 00:00:00')";
            case "messenger-ordered" ->
                "INSERT INTO messenger_outbox (body, headers, queue_name, created_at, available_at, partition_key) VALUES ("
                        + payload + ", '[]', 'outbox', '2020-01-01 00:00:00', '2020-01-01 00:00:00', '" + key + "')";
            case "outbox-messages" ->
                "INSERT INTO outbox_messages (id, event_type, payload) VALUES ('" + UUID.randomUUID() + "', 'orders', "
                        + payload + ")";
            case "outbox-record" -> record(key, payload, "2026-01-01 00:00:00", "2026-01-01 00:00:00");
            case "debezium" ->
                "INSERT INTO outboxevent (id, aggregatetype, aggregateid, type, payload) VALUES ('" + UUID.randomUUID()
                        + "', 'orders', '" + key + "', 'OrderPlaced', " + payload + ")";
            default -> throw new IllegalArgumentException(layout);
        };
    }

    /** A record of namastack-outbox with its times. */
    static String record(String key, String payload, String created, String next) {
        return "INSERT INTO outbox_record (id, status, record_key, record_type, payload, context, created_at, failure_count,"
                + " next_retry_at, partition_no, handler_id) VALUES ('" + UUID.randomUUID() + "', 'NEW', '" + key
                + "', 'shop.OrderPlaced', " + payload + ", '{\"tenant\":\"t1\"}', TIMESTAMP '" + created
                + "', 0, TIMESTAMP '" + next + "', 7, 'orderHandler')";
    }
}
