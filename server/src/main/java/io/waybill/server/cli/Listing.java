package io.waybill.server.cli;

import io.waybill.message.text.Json;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Rows of named values: aligned columns for people, JSON for programs. Numbers stay numbers, null stays null. */
public final class Listing {

    private static final int MAX_CELL = 60;

    private final List<String> columns;
    private final List<List<@Nullable Object>> rows = new ArrayList<>();

    public Listing(String... columns) {
        this.columns = List.of(columns);
    }

    public void add(@Nullable Object... values) {
        var row = new ArrayList<@Nullable Object>();
        for (Object value : values) {
            row.add(value);
        }
        rows.add(row);
    }

    void printTable(PrintWriter out) {
        int[] widths = new int[columns.size()];
        for (int i = 0; i < widths.length; i++) {
            int column = i;
            widths[i] = rows.stream()
                    .mapToInt(row -> text(row.get(column)).length())
                    .reduce(columns.get(i).length(), Math::max);
        }
        out.println(line(columns, widths));
        rows.forEach(row -> out.println(line(row, widths)));
        out.flush();
    }

    void printJson(PrintWriter out) {
        var json = new StringBuilder("[");
        for (int i = 0; i < rows.size(); i++) {
            json.append(i == 0 ? "" : ",").append(object(columns, rows.get(i)));
        }
        out.println(json.append(']'));
        out.flush();
    }

    void printNdjson(PrintWriter out) {
        rows.forEach(row -> out.println(object(columns, row)));
        out.flush();
    }

    public boolean isEmpty() {
        return rows.isEmpty();
    }

    /** One JSON object, in the order of the map. */
    public static String object(Map<String, ?> members) {
        return object(List.copyOf(members.keySet()), new ArrayList<@Nullable Object>(members.values()));
    }

    private static String object(List<String> names, List<@Nullable Object> values) {
        var json = new StringBuilder("{");
        for (int i = 0; i < names.size(); i++) {
            json.append(i == 0 ? "" : ",");
            Json.quote(json, names.get(i));
            json.append(':');
            Object value = values.get(i);
            if (value == null || value instanceof Number || value instanceof Boolean) {
                json.append(value);
            } else {
                Json.quote(json, value.toString());
            }
        }
        return json.append('}').toString();
    }

    /** Numbers to the right, words to the left. */
    private static String line(List<? extends @Nullable Object> values, int[] widths) {
        var line = new StringBuilder();
        for (int i = 0; i < widths.length; i++) {
            Object value = values.get(i);
            String blanks = " ".repeat(widths[i] - text(value).length());
            line.append(i == 0 ? "" : "  ")
                    .append(value instanceof Number ? blanks + text(value) : text(value) + blanks);
        }
        return line.toString().stripTrailing();
    }

    /** The beginning of a text, in one line of a table. */
    public static String shortened(String text) {
        String line = text.lines().findFirst().orElse("");
        return line.length() <= MAX_CELL ? line : line.substring(0, MAX_CELL - 3) + "...";
    }

    private static String text(@Nullable Object value) {
        return value == null ? "-" : value.toString();
    }
}
