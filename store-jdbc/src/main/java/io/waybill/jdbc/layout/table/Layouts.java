package io.waybill.jdbc.layout.table;

import static io.waybill.jdbc.layout.table.Layout.NOW;
import static io.waybill.jdbc.layout.table.Layout.NULL;
import static io.waybill.jdbc.layout.table.Layout.PLUS_ONE;
import static java.util.Map.entry;

import io.waybill.WaybillException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The layouts that are known by name. */
public final class Layouts {

    /** The application writes topic and payload; everything else belongs to the relay. */
    public static final Layout KAFKA_OUTBOX = new Layout(
            "kafka-outbox",
            "kafka_outbox",
            Map.ofEntries(
                    entry(ColumnMeaning.ID, "id"),
                    entry(ColumnMeaning.DESTINATION, "topic"),
                    entry(ColumnMeaning.PAYLOAD, "payload_json"),
                    entry(ColumnMeaning.HEADERS, "payload_headers"),
                    entry(ColumnMeaning.KEY, "key"),
                    entry(ColumnMeaning.PARTITION_KEY, "partition_key"),
                    entry(ColumnMeaning.ATTEMPTS, "push_attempts"),
                    entry(ColumnMeaning.ERROR, "error_reason"),
                    entry(ColumnMeaning.CREATED_AT, "created_at"),
                    entry(ColumnMeaning.STARTED_AT, "push_started_at"),
                    entry(ColumnMeaning.BATCH, "batch_id")),
            Set.of(ColumnMeaning.CREATED_AT),
            "",
            Map.of("push_completed_at", NULL, "errored", "0"),
            Map.of("push_completed_at", NOW, "push_attempts", PLUS_ONE),
            Map.of("errored", "1"),
            Optional.empty(),
            Layout.Reading.PLAIN);

    /**
     * A table with a status, as people write it by hand. Where it has {@code aggregate_id} and {@code sequence}, these order the
     * messages of an aggregate; else nothing does.
     */
    public static final Layout OUTBOX_MESSAGES = new Layout(
            "outbox-messages",
            "outbox_messages",
            Map.of(
                    ColumnMeaning.ID, "id",
                    ColumnMeaning.ORDER, "sequence",
                    ColumnMeaning.DESTINATION, "event_type",
                    ColumnMeaning.TYPE, "event_type",
                    ColumnMeaning.KEY, "aggregate_id",
                    ColumnMeaning.PARTITION_KEY, "aggregate_id",
                    ColumnMeaning.PAYLOAD, "payload",
                    ColumnMeaning.ATTEMPTS, "attempts",
                    ColumnMeaning.CREATED_AT, "created_at",
                    ColumnMeaning.AVAILABLE_AT, "available_at"),
            Set.of(ColumnMeaning.KEY, ColumnMeaning.PARTITION_KEY, ColumnMeaning.ORDER),
            "",
            Map.of("status", "pending"),
            Map.of("status", "sent", "sent_at", NOW),
            Map.of("status", "failed"),
            Optional.empty(),
            Layout.Reading.PLAIN);

    /** The table of namastack-outbox, for a team that leaves its application as it is. Its order is that of {@code created_at}. */
    public static final Layout OUTBOX_RECORD = new Layout(
            "outbox-record",
            "outbox_record",
            Map.ofEntries(
                    entry(ColumnMeaning.ID, "id"),
                    entry(ColumnMeaning.ORDER, "created_at"),
                    entry(ColumnMeaning.DESTINATION, "record_type"),
                    entry(ColumnMeaning.TYPE, "record_type"),
                    entry(ColumnMeaning.KEY, "record_key"),
                    entry(ColumnMeaning.PARTITION_KEY, "record_key"),
                    entry(ColumnMeaning.PAYLOAD, "payload"),
                    entry(ColumnMeaning.HEADERS, "context"),
                    entry(ColumnMeaning.ATTEMPTS, "failure_count"),
                    entry(ColumnMeaning.ERROR, "failure_reason"),
                    entry(ColumnMeaning.CREATED_AT, "created_at"),
                    entry(ColumnMeaning.AVAILABLE_AT, "next_retry_at")),
            Set.of(ColumnMeaning.HEADERS, ColumnMeaning.ERROR),
            "",
            Map.of("status", "NEW"),
            Map.of("status", "COMPLETED", "completed_at", NOW),
            Map.of("status", "FAILED"),
            Optional.empty(),
            Layout.Reading.PLAIN);

    /** The table of Debezium's outbox event router, for those who do without Debezium. */
    public static final Layout DEBEZIUM = new Layout(
            "debezium",
            "outboxevent",
            Map.of(
                    ColumnMeaning.ID, "id",
                    ColumnMeaning.ORDER, "sequence",
                    ColumnMeaning.DESTINATION, "aggregatetype",
                    ColumnMeaning.TYPE, "type",
                    ColumnMeaning.KEY, "aggregateid",
                    ColumnMeaning.PARTITION_KEY, "aggregateid",
                    ColumnMeaning.PAYLOAD, "payload"),
            Set.of(ColumnMeaning.ORDER),
            "",
            Map.of(),
            Map.of(),
            Map.of(),
            Optional.empty(),
            Layout.Reading.PLAIN);

    /** Symfony's default: an hour. */
    public static final Duration REDELIVER_TIMEOUT = Duration.ofHours(1);

    private static final String MESSENGER = "messenger";
    private static final String MESSENGER_ORDERED = "messenger-ordered";
    private static final String MESSENGER_TABLE = "messenger_outbox";
    private static final String MESSENGER_QUEUE = "outbox";

    /** Their names, as in {@code --layout}; besides there is {@code native}, which needs none of this. */
    public static final List<String> NAMES =
            List.of("kafka-outbox", MESSENGER, MESSENGER_ORDERED, "outbox-messages", "outbox-record", "debezium");

    private Layouts() {}

    /** The layout of this name. */
    public static Layout named(String name) {
        return switch (name) {
            case "kafka-outbox" -> KAFKA_OUTBOX;
            case "outbox-messages" -> OUTBOX_MESSAGES;
            case "outbox-record" -> OUTBOX_RECORD;
            case "debezium" -> DEBEZIUM;
            case MESSENGER -> messenger(MESSENGER_TABLE, MESSENGER_QUEUE, REDELIVER_TIMEOUT);
            case MESSENGER_ORDERED -> messengerOrdered(MESSENGER_TABLE, MESSENGER_QUEUE, REDELIVER_TIMEOUT);
            default ->
                throw new WaybillException("There is no layout '" + name + "'. It is native, "
                        + String.join(", ", NAMES) + ", or 'mapping' with the columns in a file.");
        };
    }

    /** A table of Symfony Messenger's Doctrine transport, one queue of it. PHP workers may take rows of it at the same time. */
    public static Layout messenger(String table, String queue, Duration redeliverTimeout) {
        return messenger(MESSENGER, table, queue, redeliverTimeout, Map.of());
    }

    /** The same with a column for the key whose messages keep their order. */
    public static Layout messengerOrdered(String table, String queue, Duration redeliverTimeout) {
        return messenger(
                MESSENGER_ORDERED,
                table,
                queue,
                redeliverTimeout,
                Map.of(ColumnMeaning.PARTITION_KEY, "partition_key"));
    }

    private static Layout messenger(
            String name, String table, String queue, Duration redeliverTimeout, Map<ColumnMeaning, String> more) {
        Map<ColumnMeaning, String> columns = new java.util.HashMap<>(more);
        columns.putAll(Map.of(
                ColumnMeaning.ID, "id",
                ColumnMeaning.PAYLOAD, "body",
                ColumnMeaning.HEADERS, "headers",
                ColumnMeaning.CREATED_AT, "created_at",
                ColumnMeaning.AVAILABLE_AT, "available_at"));
        return new Layout(
                name,
                table,
                columns,
                Set.of(ColumnMeaning.CREATED_AT),
                queue,
                Map.of("queue_name", queue),
                Map.of(),
                Map.of("queue_name", "failed"),
                Optional.of(new Layout.RowClaim("delivered_at", redeliverTimeout)),
                Layout.Reading.MESSENGER);
    }
}
