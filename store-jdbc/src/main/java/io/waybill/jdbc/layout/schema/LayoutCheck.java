package io.waybill.jdbc.layout.schema;

import io.waybill.jdbc.layout.table.ColumnMeaning;
import io.waybill.jdbc.layout.table.Layout;
import io.waybill.jdbc.layout.table.LayoutColumns;
import io.waybill.jdbc.layout.table.Layouts;
import io.waybill.jdbc.layout.table.TableFacts;
import io.waybill.jdbc.layout.table.TableFacts.Column;
import io.waybill.jdbc.sql.Dialect;
import java.time.Clock;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/** Compares a layout with the table as it really is: everything that does not fit at once, each with what would fix it. */
public final class LayoutCheck {

    private static final Set<String> RESERVED = Set.of("key", "keys", "order", "group", "index", "condition", "range");

    private static final Set<ColumnMeaning> KEYS_AND_ORDER =
            Set.of(ColumnMeaning.KEY, ColumnMeaning.PARTITION_KEY, ColumnMeaning.ORDER);

    private final Layout layout;
    private final TableFacts facts;

    public LayoutCheck(Layout layout, TableFacts facts) {
        this.layout = layout;
        this.facts = facts;
    }

    /**
     * Something that does not fit.
     *
     * @param ddl what would fix it; empty when that is not for a statement
     * @param fatal whether nothing can be sent with it
     */
    public record Problem(String text, String ddl, boolean fatal) {
        @Override
        public String toString() {
            return ddl.isEmpty() ? text : text + ": " + ddl + ";";
        }
    }

    public List<Problem> problems() {
        List<Problem> problems = new ArrayList<>();
        new TreeMap<>(layout.required()).forEach((meaning, column) -> check(meaning, column, problems));
        for (var mark : new TreeMap<>(marks()).entrySet()) {
            checkMark(mark.getKey(), mark.getValue(), problems);
        }
        boolean fits = problems.isEmpty();
        if (fits) {
            checkOptional(problems);
            order().ifPresent(problems::add);
            index().ifPresent(problems::add);
        } else {
            otherLayout().ifPresent(problems::add);
        }
        return problems;
    }

    /** Columns that are there and are of a wrong type, which no upgrade fixes. */
    public List<Problem> misfits() {
        List<Problem> problems = new ArrayList<>();
        new TreeMap<>(layout.required()).forEach((meaning, column) -> {
            if (facts.has(column)) {
                check(meaning, column, problems);
            }
        });
        new TreeMap<>(marks()).forEach((column, value) -> {
            if (facts.has(column)) {
                checkMark(column, value, problems);
            }
        });
        return problems;
    }

    private void check(ColumnMeaning meaning, String name, List<Problem> problems) {
        if (!facts.has(name)) {
            problems.add(new Problem(
                    "table " + layout.table() + " has no column " + name + " (" + meaning.label() + ")" + lost(meaning),
                    "ALTER TABLE " + layout.table() + " ADD COLUMN " + quoted(name) + " " + meaning.ddl(),
                    true));
            return;
        }
        Column column = facts.column(name);
        if (!fits(meaning.kind(), column)) {
            problems.add(new Problem(
                    "column " + name + " of table " + layout.table() + " is " + column.typeName() + ", which is no "
                            + meaning.label() + ": that is a " + wanted(meaning.kind()),
                    alterType(name, meaning.ddl()),
                    true));
        }
    }

    /** Symfony's own setup removes every column that it does not know. */
    private String lost(ColumnMeaning meaning) {
        return layout.rowClaims().isPresent() && meaning == ColumnMeaning.PARTITION_KEY
                ? "; if it was there, messenger:setup-transports of a doctrine:// transport on this table has dropped it"
                : "";
    }

    private Map<String, String> marks() {
        Map<String, String> marks = layout.marks();
        layout.rowClaims().ifPresent(claim -> marks.put(claim.column(), Layout.NOW));
        return marks;
    }

    private void checkMark(String name, String value, List<Problem> problems) {
        boolean time = value.equals(Layout.NOW);
        if (!facts.has(name)) {
            String type =
                    time ? "TIMESTAMP NULL" : value.matches("-?\\d+|\\+1") ? "INT NOT NULL DEFAULT 0" : "VARCHAR(20)";
            if (problems.stream().noneMatch(problem -> problem.text().contains(" has no column " + name + " "))) {
                problems.add(new Problem(
                        "table " + layout.table() + " has no column " + name + " (it marks rows as pending or sent)",
                        "ALTER TABLE " + layout.table() + " ADD COLUMN " + quoted(name) + " " + type,
                        true));
            }
        } else if (time && !facts.column(name).isTime()) {
            problems.add(new Problem(
                    "column " + name + " of table " + layout.table() + " is "
                            + facts.column(name).typeName() + ", but a time is to be written to it",
                    alterType(name, "TIMESTAMP"),
                    true));
        } else if (!time && !value.equals(Layout.NULL)) {
            checkValue(name, facts.column(name), value, problems);
        }
    }

    /** A value that is written to a column, and compared with it, must be one of its own. */
    private void checkValue(String name, Column column, String value, List<Problem> problems) {
        boolean number = value.matches("-?\\d+|\\+1");
        if (number ? !column.isNumber() && !column.isText() : !column.isText()) {
            problems.add(new Problem(
                    "column " + name + " of table " + layout.table() + " is " + column.typeName()
                            + ", but the layout " + layout.name() + " writes the " + (number ? "number " : "text ")
                            + value + " to it: it must be " + (number ? "a number" : "text"),
                    number ? "" : alterType(name, "VARCHAR(20)"),
                    true));
        }
    }

    /** A column that the table may lack is not used when it does not fit either, which is said. */
    private void checkOptional(List<Problem> problems) {
        new TreeMap<>(layout.columns()).forEach((meaning, name) -> {
            if (layout.optional().contains(meaning) && facts.has(name) && !fits(meaning.kind(), facts.column(name))) {
                problems.add(new Problem(
                        "column " + name + " of table " + layout.table() + " is "
                                + facts.column(name).typeName() + ", which is no " + meaning.label() + ": that is a "
                                + wanted(meaning.kind())
                                + (meaning == ColumnMeaning.CREATED_AT ? ", so the age of messages is unknown" : ""),
                        "",
                        false));
            }
        });
    }

    private static boolean fits(ColumnMeaning.Kind kind, Column column) {
        return switch (kind) {
            case ANY -> column.isNumber() || column.isText() || column.isBinary();
            case SORTED -> column.isNumber() || column.isTime() || column.isText();
            case TEXT -> column.isText() || column.isNumber();
            case BODY -> column.isText() || column.isBinary();
            case NUMBER -> column.isNumber();
            case TIME -> column.isTime();
        };
    }

    private static String wanted(ColumnMeaning.Kind kind) {
        return switch (kind) {
            case ANY -> "number, text, UUID or binary column";
            case SORTED -> "number or a time";
            case TEXT -> "text";
            case BODY -> "text, JSON or binary column";
            case NUMBER -> "number";
            case TIME -> "time";
        };
    }

    private String alterType(String column, String type) {
        String name = quoted(column);
        return "ALTER TABLE " + layout.table()
                + switch (facts.dialect()) {
                    case POSTGRESQL -> " ALTER COLUMN " + name + " TYPE " + type + " USING " + name + "::" + type;
                    case MARIADB, MYSQL -> " MODIFY COLUMN " + name + " " + type;
                    case H2 -> " ALTER COLUMN " + name + " SET DATA TYPE " + type;
                };
    }

    /** A name that is a word of the database is taken only in quotes. */
    private String quoted(String column) {
        if (!RESERVED.contains(column.toLowerCase(Locale.ROOT))) {
            return column;
        }
        return switch (facts.dialect()) {
            case POSTGRESQL -> "\"" + column + "\"";
            case MARIADB, MYSQL -> "`" + column + "`";
            case H2 -> "\"" + column.toUpperCase(Locale.ROOT) + "\"";
        };
    }

    /** Messages have a key, but nothing tells their order. */
    private Optional<Problem> order() {
        boolean keyed = layout.columns().get(ColumnMeaning.PARTITION_KEY) != null
                || layout.columns().get(ColumnMeaning.KEY) != null;
        String wanted = layout.columns().getOrDefault(ColumnMeaning.ORDER, "sequence");
        boolean unused = mayLackOrder() && isUsable(ColumnMeaning.PARTITION_KEY) && !isUsable(ColumnMeaning.ORDER);
        if (!unused && (!keyed || columns(resolved()).isOrdered())) {
            return Optional.empty();
        }
        String type = switch (facts.dialect()) {
            case POSTGRESQL, H2 -> "BIGINT GENERATED ALWAYS AS IDENTITY";
            case MARIADB, MYSQL -> "BIGINT NOT NULL AUTO_INCREMENT UNIQUE";
        };
        return Optional.of(new Problem(
                "table " + layout.table() + " has no column that tells the order of insertion: messages of one key may"
                        + " overtake each other",
                "ALTER TABLE " + layout.table() + " ADD COLUMN " + wanted + " " + type,
                false));
    }

    private Optional<Problem> index() {
        Set<String> first = new LinkedHashSet<>();
        layout.pending().keySet().forEach(column -> first.add(column.toLowerCase(Locale.ROOT)));
        boolean removes = layout.done().isEmpty() && layout.rowClaims().isEmpty();
        Layout resolved = resolved();
        List.of(ColumnMeaning.DESTINATION, ColumnMeaning.ORDER).forEach(meaning -> {
            String column = resolved.columns().get(meaning);
            if (column != null) {
                first.add(column.toLowerCase(Locale.ROOT));
            }
        });
        if (removes) {
            first.add(resolved.columns().getOrDefault(ColumnMeaning.ID, "").toLowerCase(Locale.ROOT));
        }
        boolean found = layout.rowClaims().isPresent()
                ? facts.indexes().values().stream()
                        .anyMatch(columns -> columns.containsAll(first)
                                && columns.indexOf(layout.rowClaims().get().column()) == first.size())
                : facts.indexes().values().stream().anyMatch(columns -> first.contains(columns.get(0)));
        return found
                ? Optional.empty()
                : Optional.of(new Problem(
                        "table " + layout.table()
                                + " has no index by which the next rows to send are found: every look reads"
                                + " the whole table",
                        indexDdl(resolved),
                        false));
    }

    private String indexDdl(Layout resolved) {
        Set<String> columns = new LinkedHashSet<>();
        boolean partial =
                facts.dialect() == Dialect.POSTGRESQL && layout.rowClaims().isEmpty();
        if (!partial) {
            columns.addAll(new TreeMap<>(layout.pending()).keySet());
        }
        layout.rowClaims().ifPresent(claim -> columns.add(claim.column()));
        for (ColumnMeaning meaning : List.of(ColumnMeaning.DESTINATION, ColumnMeaning.ORDER, ColumnMeaning.ID)) {
            String column = resolved.columns().get(meaning);
            if (column != null) {
                columns.add(column);
            }
        }
        String where = partial && !layout.pending().isEmpty()
                ? " WHERE " + columns(resolved).pending().replace("t.", "")
                : "";
        return "CREATE INDEX " + layout.table().substring(layout.table().indexOf('.') + 1) + "_ready ON "
                + layout.table() + " (" + String.join(", ", columns) + ")" + where;
    }

    /** The layout without the optional columns that this table lacks. */
    public Layout resolved() {
        Layout there = layout.without(meaning -> layout.optional().contains(meaning) && !isUsable(meaning));
        return mayLackOrder() && !(isUsable(ColumnMeaning.ORDER) && isUsable(ColumnMeaning.PARTITION_KEY))
                ? there.without(KEYS_AND_ORDER::contains).orderedBy(ColumnMeaning.CREATED_AT)
                : there;
    }

    /** A key and its order come together or not at all: without them, the time of writing tells what is next. */
    private boolean mayLackOrder() {
        return layout.optional().containsAll(Set.of(ColumnMeaning.ORDER, ColumnMeaning.PARTITION_KEY));
    }

    private boolean isUsable(ColumnMeaning meaning) {
        String name = layout.column(meaning);
        return facts.has(name) && fits(meaning.kind(), facts.column(name));
    }

    private LayoutColumns columns(Layout resolved) {
        return new LayoutColumns(resolved, facts, Clock.systemUTC());
    }

    private Optional<Problem> otherLayout() {
        return Layouts.NAMES.stream()
                .filter(name -> !name.equals(layout.name()))
                .map(Layouts::named)
                .filter(other -> other.required().values().stream().allMatch(facts::has)
                        && other.marks().keySet().stream().allMatch(facts::has))
                .findFirst()
                .map(other -> new Problem(
                        "it looks like a table of the layout " + other.name() + ": use --layout " + other.name(),
                        "",
                        true));
    }
}
