package io.waybill.jdbc.layout.schema;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.waybill.WaybillException;
import io.waybill.jdbc.layout.table.ColumnMeaning;
import io.waybill.jdbc.layout.table.Layout;
import io.waybill.jdbc.layout.table.TableFacts;
import io.waybill.jdbc.schema.RelayTables;
import io.waybill.jdbc.schema.SchemaLock;
import io.waybill.jdbc.schema.SchemaScript;
import io.waybill.jdbc.schema.SchemaStatement;
import io.waybill.jdbc.schema.Tables;
import io.waybill.jdbc.sql.Dialect;
import io.waybill.jdbc.sql.Jdbc;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import javax.sql.DataSource;

/**
 * The tables of a layout: its own, and the few that relays keep beside it. What is there already is left alone; nothing is ever
 * dropped.
 *
 * <p><i>Threads and processes:</i> any number may apply at once; one does it, the others wait for it.
 */
public final class LayoutSchema {

    private static final String BESIDE = "L001__relay_waiting";

    /** The files of each layout, oldest first. A layout by mapping has none: its table is there. */
    private static final Map<String, List<String>> FILES = Map.of(
            "kafka-outbox", List.of("L001__kafka_outbox"),
            "outbox-messages", List.of("L001__outbox_messages"),
            "outbox-record", List.of("L001__outbox_record"),
            "debezium", List.of("L001__outboxevent"),
            "messenger", List.of("L001__messenger", "L002__messenger_claims"),
            "messenger-ordered", List.of("L001__messenger", "L002__messenger_claims", "L003__messenger_partition_key"));

    /** What a {@code kafka_outbox} of earlier days may lack. */
    private static final String KAFKA_OUTBOX_COLUMNS = "U001__kafka_outbox_columns";

    /** Layouts whose table we may upgrade; the others' tables belong to their applications once they are there. */
    private static final Set<String> UPGRADED = Set.of("kafka-outbox", "messenger", "messenger-ordered");

    private final Layout layout;
    private final Dialect dialect;

    public LayoutSchema(Layout layout, Dialect dialect) {
        this.layout = layout;
        this.dialect = dialect;
    }

    /** All statements, for a person to read and run. */
    public String print() {
        var out = new StringBuilder();
        statements(true).forEach(statement -> out.append(statement.sql()).append(";\n\n"));
        return out.toString();
    }

    /** Creates what is missing, the table itself included. */
    public void apply(DataSource dataSource) {
        apply(dataSource, true);
    }

    /** Creates what relays keep beside the table; the table is its application's. */
    public void applyBeside(DataSource dataSource) {
        apply(dataSource, false);
    }

    private void apply(DataSource dataSource, boolean withTable) {
        use(dataSource, "create the tables", connection -> {
            RelayTables.requireForm(connection, dialect, layout.prefix());
            if (!missing(connection, withTable).isEmpty() || !hasSource(connection)) {
                new SchemaLock(dialect, layout.prefix())
                        .whileHeld(connection, () -> run(connection, needed(connection, withTable)));
            }
            return true;
        });
    }

    /** The columns that are added come before the indexes on them. */
    private List<SchemaStatement> needed(Connection connection, boolean withTable) throws SQLException {
        List<SchemaStatement> needed = new ArrayList<>();
        if (withTable && layout.name().equals("kafka-outbox") && new Tables(connection).exists(layout.table())) {
            needed.addAll(script(KAFKA_OUTBOX_COLUMNS));
        }
        needed.addAll(statements(isOurs(connection, withTable)));
        return needed;
    }

    /** What a table must have to be one of this layout; what else it lacks is added. */
    public static Layout least(Layout layout) {
        if (layout.rowClaims().isPresent()) {
            return layout.without(ColumnMeaning.PARTITION_KEY::equals);
        }
        return layout.name().equals("kafka-outbox")
                ? layout.only(Set.of(ColumnMeaning.ID, ColumnMeaning.DESTINATION, ColumnMeaning.PAYLOAD))
                : layout;
    }

    private boolean isOurs(Connection connection, boolean withTable) throws SQLException {
        return withTable && (UPGRADED.contains(layout.name()) || !new Tables(connection).exists(layout.table()));
    }

    private void run(Connection connection, List<SchemaStatement> statements) throws SQLException {
        var tables = new Tables(connection);
        for (var statement : statements) {
            if (statement.table().isPresent() && tables.exists(statement.table().get())) {
                continue;
            }
            if (!tables.have(statement)) {
                try (var sql = connection.createStatement()) {
                    sql.execute(statement.sql());
                }
            }
        }
    }

    private boolean hasSource(Connection connection) throws SQLException {
        return new Tables(connection).exists(layout.prefix() + "relay_source")
                && !Jdbc.query(
                                connection,
                                "SELECT source_id FROM " + layout.prefix() + "relay_source",
                                none -> {},
                                row -> row.getString(1))
                        .isEmpty();
    }

    /** Everything that is missing or does not fit, each with what would fix it. */
    public List<String> problems(DataSource dataSource) {
        return use(dataSource, "look at the tables", connection -> {
            List<String> problems = new ArrayList<>();
            TableFacts.of(connection, layout.table(), dialect)
                    .ifPresentOrElse(
                            facts -> new LayoutCheck(layout, facts)
                                    .problems()
                                    .forEach(problem -> problems.add(problem.toString())),
                            () -> problems.add("there is no table " + layout.table()));
            missing(connection, false).stream()
                    .filter(statement -> statement.table().isPresent())
                    .forEach(statement -> problems.add(
                            "there is no table " + statement.table().get()));
            return problems;
        });
    }

    private List<SchemaStatement> missing(Connection connection, boolean withTable) throws SQLException {
        var tables = new Tables(connection);
        List<SchemaStatement> missing = new ArrayList<>();
        for (var statement : needed(connection, withTable)) {
            boolean foreign = statement.table().isPresent()
                    && tables.exists(statement.table().get());
            if (!foreign && statement.creates() && !tables.have(statement)) {
                missing.add(statement);
            }
        }
        return missing;
    }

    private List<SchemaStatement> statements(boolean withTable) {
        List<SchemaStatement> statements = new ArrayList<>();
        if (withTable && !layout.table().contains(".")) {
            FILES.getOrDefault(layout.name(), List.of()).forEach(file -> statements.addAll(script(file)));
        }
        statements.addAll(RelayTables.statements(dialect, layout.prefix()));
        statements.addAll(script(BESIDE));
        return statements;
    }

    private List<SchemaStatement> script(String name) {
        String path = "/io/waybill/schema/layout/" + dialect.folder() + "/" + name + ".sql";
        try (InputStream in = LayoutSchema.class.getResourceAsStream(path)) {
            if (in == null) {
                throw new WaybillException("The file " + path + " is missing from the jar of waybill-jdbc.");
            }
            String text = new String(in.readAllBytes(), UTF_8).replace("${table}", layout.table());
            return new SchemaScript(name, dialect.sql(text, layout.prefix())).statements();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private <T> T use(DataSource dataSource, String what, Jdbc.Work<T> work) {
        try (Connection connection = dataSource.getConnection()) {
            return work.run(connection);
        } catch (SQLException e) {
            throw new WaybillException(
                    "Could not " + what + " for " + layout.table() + ": " + e.getMessage()
                            + ". If the user lacks the right, apply the output of 'waybill schema print --layout "
                            + layout.name() + "' as a user who has it.",
                    e);
        }
    }
}
