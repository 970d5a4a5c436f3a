package io.waybill.jdbc;

import java.util.Collections;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A statement that writes a row, and can write several at once. The parameters of a row are in the same order in both forms.
 *
 * <p><i>Threads:</i> safe.
 */
final class RowStatement {

    private static final int MOST_REMEMBERED = 64;

    private final boolean inserts;
    private final String one;
    private final String head;
    private final String row;
    private final String tail;
    private final Map<Integer, String> texts = new ConcurrentHashMap<>();

    private RowStatement(boolean inserts, String one, String head, String row, String tail) {
        this.inserts = inserts;
        this.one = one;
        this.head = head;
        this.row = row;
        this.tail = tail;
    }

    /**
     * @param head up to the word VALUES
     * @param row the parameters of a row, in brackets
     */
    static RowStatement insert(String head, String row) {
        return new RowStatement(true, head + row, head, row, "");
    }

    /**
     * @param one for one row
     * @param head for several, up to the word VALUES
     * @param row the parameters of a row, with their types: nothing else tells them
     * @param tail what follows the rows
     */
    static RowStatement update(String one, String head, String row, String tail) {
        return new RowStatement(false, one, head, row, tail);
    }

    /** Whether the rows are new, so that they depend on nothing that was there before. */
    boolean inserts() {
        return inserts;
    }

    /** The statement for so many rows: always the same text, so that the driver finds what it has prepared. */
    String of(int rows) {
        if (rows == 1) {
            return one;
        }
        return rows > MOST_REMEMBERED ? text(rows) : texts.computeIfAbsent(rows, this::text);
    }

    private String text(int rows) {
        return head + String.join(", ", Collections.nCopies(rows, row)) + tail;
    }
}
