package io.waybill.jdbc.ops;

import io.waybill.Time;
import io.waybill.jdbc.internal.admin.OutboxWindow;
import io.waybill.jdbc.internal.admin.SelectionSql;
import io.waybill.jdbc.internal.admin.StoredMessages;
import io.waybill.jdbc.internal.sql.Values;
import io.waybill.jdbc.sql.Dialect;
import io.waybill.jdbc.sql.Jdbc;
import io.waybill.store.admin.Selection;
import io.waybill.store.admin.StoredMessage;
import io.waybill.transport.wire.Headers;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import javax.sql.DataSource;

/**
 * Searches the outbox for a person. A page looks at a bounded number of messages, however few of them match, and the next page
 * continues behind them.
 */
public final class MessageSearch {

    /** How many messages a page looks at, of each part of the table that has an index of its own. */
    public static final int MAX_SEARCHED = 5_000;

    private static final String FOUND = """
            (SELECT ${message_without_payload} FROM (${window}) o WHERE ${selection} ORDER BY o.id LIMIT ?)""";
    private static final String END = """
            SELECT count(*), max(${name}.id) FROM (${window}) ${name}""";

    private final Jdbc jdbc;
    private final Dialect dialect;
    private final String prefix;
    private final Time time;
    private final int maxSearched;
    private final StoredMessages messages;

    public MessageSearch(DataSource dataSource, Dialect dialect, String prefix, Time time) {
        this(dataSource, dialect, prefix, time, MAX_SEARCHED);
    }

    MessageSearch(DataSource dataSource, Dialect dialect, String prefix, Time time, int maxSearched) {
        this.jdbc = new Jdbc(dataSource, dialect);
        this.dialect = dialect;
        this.prefix = prefix;
        this.time = time;
        this.maxSearched = maxSearched;
        this.messages = new StoredMessages(dialect);
    }

    /**
     * Which messages: those that match all that is given. Empty asks for nothing.
     *
     * @param selection without ids, which have an index
     */
    public record Query(Selection selection, String messageKey, String correlation) {

        private boolean filters() {
            return !selection.equals(Selection.all().withStatuses(selection.statuses()))
                    || !messageKey.isEmpty()
                    || !correlation.isEmpty();
        }

        private boolean includes(StoredMessage message) {
            return correlation.isEmpty()
                    || correlation.equals(message.envelope().headers().get(Headers.CORRELATION_ID));
        }
    }

    /**
     * A page in insertion order, without payloads.
     *
     * @param position behind which the next page begins
     * @param hasMore whether there is anything behind it
     * @param searched how many messages were looked at
     */
    public record Page(List<StoredMessage> messages, long position, boolean hasMore, long searched) {}

    /** How much of a part was looked at, and where that ended. */
    private record Part(long count, long end) {}

    /** The next page behind this position. */
    public Page page(Query query, long after, int limit) {
        int size = query.filters() ? maxSearched : limit;
        List<OutboxWindow> windows = OutboxWindow.of(query.selection(), dialect);
        List<Part> parts = ends(windows, after, size);
        long end = parts.stream()
                .filter(part -> part.count() == size)
                .mapToLong(Part::end)
                .min()
                .orElse(Long.MAX_VALUE);
        List<StoredMessage> found = found(query, windows, after, size, limit).stream()
                .filter(message -> message.position() <= end)
                .sorted(Comparator.comparingLong(StoredMessage::position))
                .limit(limit)
                .toList();
        boolean full = found.size() == limit;
        return new Page(
                found.stream().filter(query::includes).toList(),
                full ? found.get(limit - 1).position() : end,
                full || end < Long.MAX_VALUE,
                parts.stream().mapToLong(Part::count).sum());
    }

    private List<Part> ends(List<OutboxWindow> windows, long after, int size) {
        var statements = new ArrayList<String>();
        var values = new Values();
        for (OutboxWindow window : windows) {
            statements.add(END.replace("${window}", window.ids()).replace("${name}", "window_" + statements.size()));
            values.and(window.values(after, size));
        }
        return jdbc.autoCommit(
                "search for messages",
                connection -> Jdbc.query(
                        connection,
                        dialect.sql(String.join(" UNION ALL ", statements), prefix),
                        statement -> values.bind(dialect, statement, 1),
                        row -> new Part(row.getLong(1), row.getLong(2))));
    }

    private List<StoredMessage> found(Query query, List<OutboxWindow> windows, long after, int size, int limit) {
        var statements = new ArrayList<String>();
        var values = new Values();
        for (OutboxWindow window : windows) {
            SelectionSql matching = SelectionSql.of(query.selection(), any -> true, time.offset())
                    .and("o.message_key = ?", query.messageKey())
                    .and("LOWER(o.headers) LIKE ? ESCAPE '!'", containing(query.correlation()));
            statements.add(FOUND.replace("${window}", window.rows()).replace("${selection}", matching.condition()));
            values.and(window.values(after, size)).and(matching.values()).and(limit);
        }
        String sql = String.join(" UNION ALL ", statements);
        return jdbc.autoCommit(
                "search for messages",
                connection -> Jdbc.query(
                        connection,
                        dialect.sql(sql.replace("${message_without_payload}", StoredMessages.WITHOUT_PAYLOAD), prefix),
                        statement -> values.bind(dialect, statement, 1),
                        messages::read));
    }

    private static String containing(String text) {
        return text.isEmpty() ? "" : "%" + SelectionSql.literally(text) + "%";
    }
}
