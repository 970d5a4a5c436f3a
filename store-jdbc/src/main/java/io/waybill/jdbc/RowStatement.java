package io.waybill.jdbc;

import static java.util.stream.Collectors.joining;

import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;

/**
 * A statement that writes a row; one that inserts can write several at once.
 *
 * <p><i>Threads:</i> safe.
 */
final class RowStatement {

    private static final int MOST_REMEMBERED = 64;

    private final String head;
    private final String row;
    private final String one;
    private final List<String> types;
    private final String arrays;
    private final Map<Integer, String> texts = new ConcurrentHashMap<>();

    private RowStatement(String head, String row, List<String> types) {
        this.head = head;
        this.row = row;
        this.one = head + row;
        this.types = types;
        this.arrays = types.isEmpty() ? "" : ofArrays();
    }

    /**
     * @param head up to the word VALUES
     * @param row the parameters of a row, in brackets
     * @param types those of the parameters in PostgreSQL, if many rows may be written as arrays there
     */
    static RowStatement insert(String head, String row, List<String> types) {
        return new RowStatement(head, row, types);
    }

    static RowStatement update(String sql) {
        return new RowStatement(sql, "", List.of());
    }

    /** Whether the rows are new, so that they depend on nothing that was there before. */
    boolean inserts() {
        return !row.isEmpty();
    }

    String one() {
        return one;
    }

    /** How many parameters a row has, if there are {@link #arrays}; else 0. */
    int columns() {
        return types.size();
    }

    /** The INSERT of any number of rows on PostgreSQL: each parameter is an array of texts, a column. */
    String arrays() {
        return arrays;
    }

    private String ofArrays() {
        var values = new StringBuilder(row.strip());
        for (int column = types.size(); column > 0; column--) {
            int mark = values.lastIndexOf("?");
            values.replace(mark, mark + 1, "c" + column + "::" + types.get(column - 1));
        }
        String names =
                IntStream.rangeClosed(1, types.size()).mapToObj(n -> "c" + n).collect(joining(", "));
        return head.strip().replaceFirst("VALUES$", "SELECT ") + values.substring(1, values.length() - 1)
                + " FROM unnest(" + String.join(", ", Collections.nCopies(types.size(), "?::text[]")) + ") AS r ("
                + names + ")";
    }

    /** The INSERT of so many rows: always the same text, so that the driver finds what it has prepared. */
    String of(int rows) {
        return rows > MOST_REMEMBERED ? text(rows) : texts.computeIfAbsent(rows, this::text);
    }

    private String text(int rows) {
        return head + String.join(", ", Collections.nCopies(rows, row));
    }
}
