package io.waybill.benchmarks.drain;

import io.waybill.benchmarks.workload.BenchmarkDatabase;
import io.waybill.benchmarks.workload.Workload;
import io.waybill.jdbc.layout.table.Layout;
import io.waybill.jdbc.layout.table.Layouts;
import java.sql.SQLException;

/** A table of somebody else's design, and how it is filled by plain SQL with the usual messages. */
@SuppressWarnings("ImmutableEnumChecker")
public enum LayoutTable {
    KAFKA_OUTBOX(Layouts.KAFKA_OUTBOX, """
            INSERT INTO kafka_outbox (topic, payload_json, key)
            SELECT 'orders.placed', ${payload}, ${key} FROM ${numbers}
            """),
    OUTBOX_MESSAGES(Layouts.OUTBOX_MESSAGES, """
            INSERT INTO outbox_messages (id, event_type, payload)
            SELECT gen_random_uuid(), 'orders.placed', CAST(${payload} AS json) FROM ${numbers}
            """),
    DEBEZIUM(Layouts.DEBEZIUM, """
            INSERT INTO outboxevent (id, aggregatetype, aggregateid, type, payload)
            SELECT gen_random_uuid(), 'orders.placed', ${key}, 'OrderPlaced', ${payload} FROM ${numbers}
            """),
    MESSENGER(Layouts.named("messenger"), """
            INSERT INTO messenger_outbox (body, headers, queue_name, created_at, available_at)
            SELECT ${payload}, '{"type":"OrderPlaced"}', 'outbox', ${utc}, ${utc} FROM ${numbers}
            """),
    MESSENGER_ORDERED(Layouts.named("messenger-ordered"), """
            INSERT INTO messenger_outbox (body, headers, queue_name, created_at, available_at, partition_key)
            SELECT ${payload}, '{"type":"OrderPlaced"}', 'outbox', ${utc}, ${utc}, ${key} FROM ${numbers}
            """);

    private static final int KEYS = Workload.USUAL.keys();

    public final Layout layout;
    private final String insert;

    LayoutTable(Layout layout, String insert) {
        this.layout = layout;
        this.insert = insert;
    }

    public void fill(BenchmarkDatabase database, int messages) throws SQLException {
        String payload = "'{\"n\":' || n || ',\"text\":\"' || repeat('Waybill ', 60) || '\"}'";
        database.execute(insert.replace("${payload}", payload)
                .replace("${key}", "'key-' || n % " + KEYS)
                .replace("${utc}", "date_trunc('second', now() AT TIME ZONE 'UTC')")
                .replace("${numbers}", "generate_series(0, " + (messages - 1) + ") n"));
    }
}
