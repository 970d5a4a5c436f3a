package io.waybill.jdbc.internal.sql;

import java.util.Collections;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A statement that writes a row; one that inserts can write several at once.
 *
 * <p><i>Threads:</i> safe.
 */
public final class RowStatement {

    private static final int MAX_REMEMBERED = 64;

    private final String head;
    private final String row;
    private final String one;
    private final Map<Integer, String> texts = new ConcurrentHashMap<>();

    private RowStatement(String head, String row) {
        this.head = head;
        this.row = row;
        this.one = head + row;
    }

    /**
     * A statement that inserts rows.
     *
     * @param head up to the word VALUES
     * @param row the parameters of a row, in brackets
     */
    public static RowStatement insert(String head, String row) {
        return new RowStatement(head, row);
    }

    public static RowStatement update(String sql) {
        return new RowStatement(sql, "");
    }

    /** Whether the rows are new, so that they depend on nothing that was there before. */
    boolean inserts() {
        return !row.isEmpty();
    }

    public String one() {
        return one;
    }

    /** The INSERT of so many rows: always the same text, so that the driver finds what it has prepared. */
    public String of(int rows) {
        return rows > MAX_REMEMBERED ? text(rows) : texts.computeIfAbsent(rows, this::text);
    }

    private String text(int rows) {
        return head + String.join(", ", Collections.nCopies(rows, row));
    }
}
