package io.waybill.inbox;

import io.waybill.message.Envelope;
import io.waybill.outbox.Outbox;
import io.waybill.store.Transaction;
import java.sql.Connection;
import java.util.Map;

/**
 * A message passed to its handler, with the transaction for its effects.
 *
 * @param payload read once for each delivery: a handler that modifies it sees the modification at the next attempt
 * @param outbox appends in the same transaction
 */
public record Received<T>(T payload, Envelope message, Transaction transaction, Outbox outbox) {

    public Map<String, String> headers() {
        return message.headers();
    }

    /** The connection whose commit makes the handler's work and the inbox row real, both or neither. */
    public Connection connection() {
        return transaction.unwrap(Connection.class);
    }
}
