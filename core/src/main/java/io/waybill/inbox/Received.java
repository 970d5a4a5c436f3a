package io.waybill.inbox;

import io.waybill.message.Envelope;
import io.waybill.store.Transaction;
import java.sql.Connection;

/** A message in the hands of its handler, with the transaction its effects belong to. */
public record Received(Envelope message, Transaction transaction) {

    public String payload() {
        return message.payload().asText();
    }

    /** The connection whose commit makes the handler's work and the inbox row real, both or neither. */
    public Connection connection() {
        return transaction.unwrap(Connection.class);
    }
}
