package io.waybill.jdbc.schema;

import static java.util.stream.Collectors.toCollection;

import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/**
 * One statement of a schema file. To be repeatable after a crash it either creates something by which it can be recognised (a
 * table, an index, a column) or may be run twice.
 *
 * @param lock what it means for those who use the table meanwhile; empty when nobody notices
 */
public record SchemaStatement(String sql, String lock) {

    private static final Pattern LOCK = Pattern.compile("(?m)^-- lock: (.*)$");
    private static final Pattern TABLE = Pattern.compile("(?m)^CREATE TABLE (\\w+)");
    private static final Pattern INDEX = Pattern.compile("(?m)^CREATE (?:UNIQUE )?INDEX (\\w+) ON (\\w+)");
    private static final Pattern COLUMN = Pattern.compile("(?m)^ALTER TABLE (\\w+)\\s+ADD COLUMN [`\"]?(\\w+)");
    private static final Pattern COLUMN_OF_TABLE = Pattern.compile("(?m)^ {4}(?!PRIMARY|UNIQUE|KEY|CHECK)(\\w+) +\\S");

    static SchemaStatement of(String sql) {
        return new SchemaStatement(sql, group(LOCK, sql, 1).orElse(""));
    }

    /** The table it creates. */
    public Optional<String> table() {
        return group(TABLE, sql, 1);
    }

    /** The columns of the table it creates. */
    Set<String> columns() {
        return COLUMN_OF_TABLE
                .matcher(sql)
                .results()
                .map(MatchResult::group)
                .map(line -> line.strip().split("\\s", 2)[0])
                .collect(toCollection(LinkedHashSet::new));
    }

    /** The index it creates. */
    Optional<Part> index() {
        return group(INDEX, sql, 1).map(index -> new Part(group(INDEX, sql, 2).orElseThrow(), index));
    }

    /** The first of the columns it adds. */
    Optional<Part> column() {
        return group(COLUMN, sql, 1)
                .map(table -> new Part(table, group(COLUMN, sql, 2).orElseThrow()));
    }

    /** The table that it creates, or of which it creates a part; empty when it creates nothing. */
    String subject() {
        return table().or(() -> index().map(Part::table))
                .or(() -> column().map(Part::table))
                .orElse("");
    }

    /** Whether it creates something by which it can be recognised. */
    public boolean creates() {
        return table().isPresent() || index().isPresent() || column().isPresent();
    }

    /** A column or an index of a table. */
    record Part(String table, String name) {}

    private static Optional<String> group(Pattern pattern, String sql, int group) {
        var matcher = pattern.matcher(sql);
        return matcher.find() ? Optional.of(matcher.group(group)) : Optional.empty();
    }
}
