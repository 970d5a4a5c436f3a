package io.waybill.jdbc.internal.admin;

import io.waybill.jdbc.internal.sql.Envelopes;
import io.waybill.jdbc.sql.Dialect;
import io.waybill.store.AttemptLog;
import io.waybill.store.admin.OutboxStatus;
import io.waybill.store.admin.StoredMessage;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Rows of the outbox with everything that is known about them. */
public final class StoredMessages {

    /** The order in which {@link #read} reads: {@code ${message}} in statements. */
    static final String COLUMNS = """
            o.id, ${shard}, o.status, o.retry_count, o.last_error, o.available_at, o.created_at, o.dispatched_at,
            o.outbox_id, o.category, o.type, o.message_key, o.partition_key, o.payload, o.payload_binary, ${headers},
            o.destination, o.retries, o.attempt_log""".replace("${headers}", Envelopes.HEADERS);

    /** The same without the payload and the history, which may be large. */
    public static final String WITHOUT_PAYLOAD =
            COLUMNS.replace("o.payload, o.payload_binary", "NULL, NULL").replace("o.attempt_log", "NULL");

    private final Dialect dialect;

    public StoredMessages(Dialect dialect) {
        this.dialect = dialect;
    }

    public StoredMessage read(ResultSet row) throws SQLException {
        Instant availableAt = instant(row, 6);
        return new StoredMessage(
                row.getLong(1),
                row.getInt(2),
                status(row.getString(3), availableAt),
                row.getInt(4),
                row.getString(5),
                availableAt,
                dialect.instant(row, 7),
                instant(row, 8),
                Envelopes.read(row, 9).envelope(),
                row.getInt(18),
                AttemptLog.of(row.getString(19)));
    }

    private static OutboxStatus status(String column, @Nullable Instant availableAt) {
        OutboxStatus status = OutboxStatus.valueOf(column);
        return status == OutboxStatus.PENDING && availableAt != null ? OutboxStatus.WAITING : status;
    }

    private @Nullable Instant instant(ResultSet row, int column) throws SQLException {
        return row.getString(column) == null ? null : dialect.instant(row, column);
    }
}
