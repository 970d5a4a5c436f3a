package io.waybill.jdbc;

import io.waybill.store.InboxStore;
import io.waybill.store.Transaction;
import java.sql.Connection;
import java.sql.SQLException;

final class JdbcInboxStore implements InboxStore {

    private static final String RECORD = """
            INSERT INTO ${prefix}inbox (message_id, handler) VALUES (?, ?)
            """;

    /** On PostgreSQL a failed statement would end the whole transaction. */
    private static final String RECORD_ON_POSTGRESQL = RECORD + " ON CONFLICT (message_id, handler) DO NOTHING";

    private final String record;

    JdbcInboxStore(Dialect dialect, String prefix) {
        this.record = dialect.sql(dialect == Dialect.POSTGRESQL ? RECORD_ON_POSTGRESQL : RECORD, prefix);
    }

    @Override
    public boolean record(Transaction transaction, String messageId, String handler) {
        try {
            return Jdbc.update(transaction.unwrap(Connection.class), record, statement -> {
                        statement.setString(1, messageId);
                        statement.setString(2, handler);
                    })
                    == 1;
        } catch (SQLException e) {
            if (Jdbc.isDuplicate(e)) {
                return false;
            }
            throw Jdbc.failed("note message " + messageId + " in the inbox of '" + handler + "'", e);
        }
    }
}
