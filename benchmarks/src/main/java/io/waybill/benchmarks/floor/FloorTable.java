package io.waybill.benchmarks.floor;

import io.waybill.benchmarks.workload.BenchmarkDatabase;
import java.sql.SQLException;

/**
 * The least that plain SQL can do: a table, and two statements for each batch. What was sent is deleted, or marked; one loop
 * reads in the order of the ids, or two loops share the rows by a stored column.
 */
public enum FloorTable {
    DELETE(1, """
            CREATE TABLE floor_outbox (
                id            BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
                partition_key TEXT NOT NULL,
                destination   TEXT NOT NULL,
                payload       TEXT NOT NULL,
                headers       TEXT NOT NULL,
                created_at    TIMESTAMPTZ NOT NULL DEFAULT now())
            """, "", """
            SELECT id, partition_key, destination, payload, headers FROM floor_outbox
             ORDER BY id LIMIT ?
            """, """
            DELETE FROM floor_outbox WHERE id = ANY (?)
            """),

    UPDATE(1, """
            CREATE TABLE floor_outbox (
                id            BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
                partition_key TEXT NOT NULL,
                destination   TEXT NOT NULL,
                payload       TEXT NOT NULL,
                headers       TEXT NOT NULL,
                created_at    TIMESTAMPTZ NOT NULL DEFAULT now(),
                status        TEXT NOT NULL DEFAULT 'PENDING')
            """, """
            CREATE INDEX floor_pending ON floor_outbox (id) WHERE status = 'PENDING'
            """, """
            SELECT id, partition_key, destination, payload, headers FROM floor_outbox
             WHERE status = 'PENDING' ORDER BY id LIMIT ?
            """, """
            UPDATE floor_outbox SET status = 'DISPATCHED' WHERE id = ANY (?)
            """),

    DELETE_BY_TWO(2, """
            CREATE TABLE floor_outbox (
                id            BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
                partition_key TEXT NOT NULL,
                destination   TEXT NOT NULL,
                payload       TEXT NOT NULL,
                headers       TEXT NOT NULL,
                created_at    TIMESTAMPTZ NOT NULL DEFAULT now(),
                shard         INT NOT NULL)
            """, """
            CREATE INDEX floor_shard ON floor_outbox (shard, id)
            """, """
            SELECT id, partition_key, destination, payload, headers FROM floor_outbox
             WHERE shard = ? ORDER BY id LIMIT ?
            """, """
            DELETE FROM floor_outbox WHERE id = ANY (?)
            """),

    UPDATE_BY_TWO(2, """
            CREATE TABLE floor_outbox (
                id            BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
                partition_key TEXT NOT NULL,
                destination   TEXT NOT NULL,
                payload       TEXT NOT NULL,
                headers       TEXT NOT NULL,
                created_at    TIMESTAMPTZ NOT NULL DEFAULT now(),
                status        TEXT NOT NULL DEFAULT 'PENDING',
                shard         INT NOT NULL)
            """, """
            CREATE INDEX floor_pending ON floor_outbox (shard, id) WHERE status = 'PENDING'
            """, """
            SELECT id, partition_key, destination, payload, headers FROM floor_outbox
             WHERE status = 'PENDING' AND shard = ? ORDER BY id LIMIT ?
            """, """
            UPDATE floor_outbox SET status = 'DISPATCHED' WHERE id = ANY (?)
            """);

    private static final String INSERT_MANY = """
            INSERT INTO floor_outbox (partition_key, destination, payload, headers)
            SELECT partition_key, ?, payload, '' FROM unnest(?::text[], ?::text[]) AS new (partition_key, payload)
            """;
    private static final String INSERT_MANY_FOR_TWO = """
            INSERT INTO floor_outbox (partition_key, destination, payload, headers, shard)
            SELECT partition_key, ?, payload, '', hashtextextended(partition_key, 0) & 1
              FROM unnest(?::text[], ?::text[]) AS new (partition_key, payload)
            """;

    /** Adds one message to a table with one loop. */
    public static final String INSERT = """
            INSERT INTO floor_outbox (partition_key, destination, payload, headers) VALUES (?, ?, ?, '')
            """;

    public final int loops;
    private final String table;
    private final String index;
    final String select;
    final String settle;

    FloorTable(int loops, String table, String index, String select, String settle) {
        this.loops = loops;
        this.table = table;
        this.index = index;
        this.select = select;
        this.settle = settle;
    }

    /** Adds many messages: destination, keys, payloads. */
    String insertMany() {
        return loops == 1 ? INSERT_MANY : INSERT_MANY_FOR_TWO;
    }

    public void create(BenchmarkDatabase database) throws SQLException {
        database.execute(table);
        if (!index.isEmpty()) {
            database.execute(index);
        }
    }

    /** What it does, in the report. */
    @Override
    public String toString() {
        String statements = settle.startsWith("UPDATE") ? "SELECT + UPDATE" : "SELECT + DELETE";
        return statements + (loops == 1 ? ", 1 thread" : ", " + loops + " threads");
    }
}
