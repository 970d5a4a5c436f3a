package io.waybill.jdbc.schema;

import io.waybill.WaybillException;
import java.time.Duration;

/**
 * How the tables are used.
 *
 * @param prefix stands before every table name
 * @param retention how long dispatched messages are kept; zero removes them as they are sent
 * @param inboxTable where it is noted what was handled
 * @param failedTable where it is kept what could not be handled
 * @param receivingIdleTimeout how long a receiver's transaction may do nothing before the database ends it, so that a process that is frozen
 *     holds its messages no longer; zero is for ever
 * @param unorderedIds whether a database is accepted whose ids do not rise in the order of insertion; then no order is promised
 * @param maxPayload how many bytes the payload of a message may have; one with more is not read, and fails. An eighth of the heap by default
 */
public record JdbcStoreOptions(
        String prefix,
        Duration retention,
        InboxTable inboxTable,
        FailedTable failedTable,
        Duration receivingIdleTimeout,
        boolean unorderedIds,
        long maxPayload) {

    /** A message is in memory several times while it is read, encoded and sent. */
    public static final long DEFAULT_MAX_PAYLOAD = Runtime.getRuntime().maxMemory() / 8;

    public static final JdbcStoreOptions DEFAULT = new JdbcStoreOptions(
            "",
            Duration.ofDays(7),
            InboxTable.INBOX,
            FailedTable.FAILED_MESSAGE,
            Duration.ofMinutes(2),
            false,
            DEFAULT_MAX_PAYLOAD);

    public JdbcStoreOptions {
        if (!prefix.matches("[A-Za-z0-9_]{0,30}")) {
            throw new WaybillException("The table prefix '" + prefix
                    + "' may only have up to 30 letters, digits and underscores: it becomes part of table names.");
        }
        if (retention.isNegative()) {
            throw new WaybillException("The retention (" + retention + ") is negative. 0 removes messages as they are"
                    + " sent, 7d keeps them for a week.");
        }
        boolean bounded = !receivingIdleTimeout.isZero();
        if (bounded && receivingIdleTimeout.compareTo(Duration.ofSeconds(1)) < 0) {
            throw new WaybillException("The idle time-out of receivers (" + receivingIdleTimeout
                    + ") must be at least a second, or 0 for none: a handler that waits longer is rolled back.");
        }
        if (maxPayload < 1) {
            throw new WaybillException("max-payload (" + maxPayload + ") must be at least 1 byte.");
        }
    }

    public JdbcStoreOptions withRetention(Duration retention) {
        return new JdbcStoreOptions(
                prefix, retention, inboxTable, failedTable, receivingIdleTimeout, unorderedIds, maxPayload);
    }

    public JdbcStoreOptions withPrefix(String prefix) {
        return new JdbcStoreOptions(
                prefix, retention, inboxTable, failedTable, receivingIdleTimeout, unorderedIds, maxPayload);
    }

    public JdbcStoreOptions withInboxTable(InboxTable inboxTable) {
        return new JdbcStoreOptions(
                prefix, retention, inboxTable, failedTable, receivingIdleTimeout, unorderedIds, maxPayload);
    }

    public JdbcStoreOptions withFailedTable(FailedTable failedTable) {
        return new JdbcStoreOptions(
                prefix, retention, inboxTable, failedTable, receivingIdleTimeout, unorderedIds, maxPayload);
    }

    public JdbcStoreOptions withReceivingIdleTimeout(Duration receivingIdleTimeout) {
        return new JdbcStoreOptions(
                prefix, retention, inboxTable, failedTable, receivingIdleTimeout, unorderedIds, maxPayload);
    }

    /** Accepts a database such as Galera or CockroachDB, and gives up the promise of order. */
    public JdbcStoreOptions acceptingUnorderedIds() {
        return new JdbcStoreOptions(prefix, retention, inboxTable, failedTable, receivingIdleTimeout, true, maxPayload);
    }

    public JdbcStoreOptions withMaxPayload(long maxPayload) {
        return new JdbcStoreOptions(
                prefix, retention, inboxTable, failedTable, receivingIdleTimeout, unorderedIds, maxPayload);
    }

    public boolean keepsDispatched() {
        return !retention.isZero();
    }
}
