package io.waybill.jdbc;

import io.waybill.WaybillException;
import java.time.Duration;

/**
 * How the tables are used.
 *
 * @param prefix stands before every table name
 * @param retention how long dispatched messages are kept; zero removes them as they are sent
 * @param inboxTable where it is noted what was handled
 * @param failedTable where it is kept what could not be handled
 * @param unorderedIds whether a database is accepted whose ids do not rise in the order of insertion; then no order is promised
 */
public record JdbcStoreOptions(
        String prefix, Duration retention, InboxTable inboxTable, FailedTable failedTable, boolean unorderedIds) {

    public static final JdbcStoreOptions DEFAULT =
            new JdbcStoreOptions("", Duration.ofDays(7), InboxTable.INBOX, FailedTable.FAILED_MESSAGE, false);

    public JdbcStoreOptions {
        if (!prefix.matches("[A-Za-z0-9_]{0,30}")) {
            throw new WaybillException("The table prefix '" + prefix
                    + "' may only have up to 30 letters, digits and underscores: it becomes part of table names.");
        }
        if (retention.isNegative()) {
            throw new WaybillException("The retention (" + retention + ") is negative. 0 removes messages as they are"
                    + " sent, 7d keeps them for a week.");
        }
    }

    public JdbcStoreOptions withRetention(Duration retention) {
        return new JdbcStoreOptions(prefix, retention, inboxTable, failedTable, unorderedIds);
    }

    public JdbcStoreOptions withPrefix(String prefix) {
        return new JdbcStoreOptions(prefix, retention, inboxTable, failedTable, unorderedIds);
    }

    public JdbcStoreOptions withInboxTable(InboxTable inboxTable) {
        return new JdbcStoreOptions(prefix, retention, inboxTable, failedTable, unorderedIds);
    }

    public JdbcStoreOptions withFailedTable(FailedTable failedTable) {
        return new JdbcStoreOptions(prefix, retention, inboxTable, failedTable, unorderedIds);
    }

    /** Accepts a database such as Galera or CockroachDB, and gives up the promise of order. */
    public JdbcStoreOptions acceptingUnorderedIds() {
        return new JdbcStoreOptions(prefix, retention, inboxTable, failedTable, true);
    }

    boolean keepsDispatched() {
        return !retention.isZero();
    }
}
