package io.waybill.jdbc.schema;

import io.waybill.WaybillException;
import io.waybill.jdbc.sql.Dialect;
import io.waybill.jdbc.sql.Jdbc;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Set;
import javax.sql.DataSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The tables: numbered SQL files, applied in order. What a statement would create and is there already is left alone, so that
 * an interrupted start, a DBA or Flyway may have made a part of it.
 *
 * <p><i>Threads and processes:</i> any number may start at once; one applies, the others wait for it.
 */
public final class Schema {

    private static final Logger log = LoggerFactory.getLogger(Schema.class);

    private static final String DEDUPLICATION = "O001__deduplication";
    private static final String MESSENGER_MESSAGES = "O002__messenger_messages";

    /** Every version, oldest first; each has a file of this name for every database. */
    static final List<String> VERSIONS = List.of(
            "V001__outbox_and_inbox",
            "V002__outbox_archive",
            "V003__failed_message",
            "V004__command",
            "V005__waiting_key",
            "V010__process",
            "V011__operation_log");

    private final Dialect dialect;
    private final String prefix;
    private final List<String> optional;
    private final SchemaLock lock;
    private final SchemaHistory history;
    private final Adoption adoption;

    Schema(Dialect dialect, String prefix, List<String> optional) {
        this.dialect = dialect;
        this.prefix = prefix;
        this.optional = List.copyOf(optional);
        this.lock = new SchemaLock(dialect, prefix);
        this.history = new SchemaHistory(dialect, prefix);
        this.adoption = new Adoption(dialect, prefix);
    }

    public static Schema of(Dialect dialect, JdbcStoreOptions options) {
        var optional = new ArrayList<String>();
        if (options.inboxTable() == InboxTable.DEDUPLICATION) {
            optional.add(DEDUPLICATION);
        }
        if (options.failedTable() == FailedTable.MESSENGER_MESSAGES) {
            optional.add(MESSENGER_MESSAGES);
        }
        return new Schema(dialect, options.prefix(), optional);
    }

    /** All statements, for a person to read and run. */
    public String print() {
        var out = new StringBuilder();
        versions()
                .forEach(version -> out.append("-- ")
                        .append(version.name())
                        .append('\n')
                        .append(version.text())
                        .append('\n'));
        return out.toString();
    }

    /** Creates the tables or only checks them, as the setting says. */
    public void initialize(DataSource dataSource, InitializeSchema mode) {
        boolean creates = switch (mode) {
            case ALWAYS -> true;
            case EMBEDDED -> isEmbedded(dataSource);
            case NEVER -> false;
        };
        if (creates) {
            apply(dataSource);
        } else {
            validate(dataSource);
        }
    }

    /** Creates or upgrades the tables. Does nothing when they are current; never drops anything. */
    public void apply(DataSource dataSource) {
        use(dataSource, "create the tables", connection -> {
            RelayTables.requireForm(connection, dialect, prefix);
            if (history.read(connection).containsAll(names())) {
                return true;
            }
            adoption.refuseWhatIsInTheWay(connection, versions(), history.read(connection));
            lock.whileHeld(connection, () -> history.create(connection));
            for (var version : versions()) {
                lock.whileHeld(connection, () -> apply(connection, version));
            }
            return true;
        });
    }

    /** The statements that {@link #apply} would run now, each with what it means for those who use the table meanwhile. */
    public List<SchemaStatement> plan(DataSource dataSource) {
        return use(dataSource, "look at the tables", connection -> {
            Set<String> applied = history.read(connection);
            adoption.refuseWhatIsInTheWay(connection, versions(), applied);
            var plan = new ArrayList<SchemaStatement>();
            for (var version : versions()) {
                if (!applied.contains(version.name())) {
                    plan.addAll(plan(connection, version));
                }
            }
            return plan;
        });
    }

    /** Which versions are there, by what the tables look like as far as this user may read them. */
    public SchemaStatus status(DataSource dataSource) {
        return use(dataSource, "look at the tables", this::status);
    }

    private SchemaStatus status(Connection connection) throws SQLException {
        var tables = new Tables(connection);
        var applied = new ArrayList<String>();
        var missing = new ArrayList<String>();
        var problems = new ArrayList<String>();
        var unreadable = new LinkedHashMap<String, List<String>>();
        for (var version : versions()) {
            List<SchemaStatement> statements = version.statements().stream()
                    .filter(SchemaStatement::creates)
                    .toList();
            List<String> hidden = unreadable(connection, statements);
            List<SchemaStatement> visible = statements.stream()
                    .filter(statement -> !hidden.contains(statement.subject()))
                    .toList();
            if (!left(tables, visible).isEmpty()) {
                missing.add(version.name());
            } else if (!hidden.isEmpty()) {
                unreadable.put(version.name(), hidden);
            } else {
                applied.add(version.name());
            }
            problems.addAll(problems(tables, version.name(), visible));
        }
        return new SchemaStatus(applied, missing, problems, unreadable);
    }

    private List<String> unreadable(Connection connection, List<SchemaStatement> statements) throws SQLException {
        var rights = TableRights.of(DatabaseRole.OPERATOR, dialect, prefix);
        var hidden = new ArrayList<String>();
        for (String table :
                statements.stream().map(SchemaStatement::subject).distinct().toList()) {
            if (!rights.mayRead(connection, table)) {
                hidden.add(table);
            }
        }
        return hidden;
    }

    /**
     * Checks that every table and column is there, whichever tool made them.
     *
     * @throws WaybillException that names everything that is missing
     */
    public void validate(DataSource dataSource) {
        List<String> problems = status(dataSource).problems();
        if (!problems.isEmpty()) {
            throw new WaybillException("The tables do not fit this version of Waybill:\n- "
                    + String.join("\n- ", problems)
                    + "\nRun 'waybill schema apply', or the output of 'waybill schema print', or let Flyway do it with the"
                    + " location classpath:io/waybill/schema/" + dialect.folder() + " and the placeholder "
                    + (dialect.isMySql() ? "collation=" + dialect.sql("${collation}", prefix) + " and " : "")
                    + "prefix="
                    + prefix + ".");
        }
    }

    private List<SchemaScript> versions() {
        return names().stream()
                .map(name -> optional.contains(name)
                        ? SchemaScript.optional(name, dialect, prefix)
                        : SchemaScript.version(name, dialect, prefix))
                .toList();
    }

    private List<String> names() {
        var names = new ArrayList<>(VERSIONS);
        names.addAll(optional);
        return names;
    }

    private void apply(Connection connection, SchemaScript version) throws SQLException {
        Set<String> applied = history.read(connection);
        if (applied.contains(version.name())) {
            return;
        }
        for (var script : adoption.scripts(connection, version, applied)) {
            if (!applied.contains(script.name())) {
                // Noted first: from here on the table is half ours, and continuing needs no permission.
                history.note(connection, script.name());
            }
            run(connection, script);
        }
        run(connection, version);
        history.note(connection, version.name());
        log.info("Applied {} of the schema on {}.", version.name(), dialect);
    }

    private static void run(Connection connection, SchemaScript script) throws SQLException {
        var tables = new Tables(connection);
        for (var statement : script.statements()) {
            if (!tables.have(statement)) {
                try (var sql = connection.createStatement()) {
                    sql.execute(statement.sql());
                }
            }
        }
    }

    private List<SchemaStatement> plan(Connection connection, SchemaScript version) throws SQLException {
        var tables = new Tables(connection);
        var plan = new ArrayList<SchemaStatement>();
        for (var script : adoption.scripts(connection, version, history.read(connection))) {
            plan.addAll(left(tables, script.statements()));
        }
        for (var statement : left(tables, version.statements())) {
            if (!adoption.isAdopted(tables, statement)) {
                plan.add(statement);
            }
        }
        return plan;
    }

    private static List<SchemaStatement> left(Tables tables, List<SchemaStatement> statements) throws SQLException {
        var left = new ArrayList<SchemaStatement>();
        for (var statement : statements) {
            if (!tables.have(statement)) {
                left.add(statement);
            }
        }
        return left;
    }

    private static List<String> problems(Tables tables, String version, List<SchemaStatement> statements)
            throws SQLException {
        var problems = new ArrayList<String>();
        for (var statement : statements) {
            if (statement.table().isPresent()) {
                String table = statement.table().get();
                String missing = String.join(", ", tables.missingColumns(statement));
                if (!tables.exists(table)) {
                    problems.add("table " + table + " is missing (" + version + ")");
                } else if (!missing.isEmpty()) {
                    problems.add("table " + table + " has no " + missing + " (" + version + ")");
                }
            }
        }
        return problems;
    }

    private boolean isEmbedded(DataSource dataSource) {
        return use(dataSource, "connect to the database", connection -> {
            String url = connection.getMetaData().getURL();
            return dialect == Dialect.H2 && !url.startsWith("jdbc:h2:tcp:") && !url.startsWith("jdbc:h2:ssl:");
        });
    }

    private static <T> T use(DataSource dataSource, String what, Jdbc.Work<T> work) {
        try (Connection connection = dataSource.getConnection()) {
            return work.run(connection);
        } catch (SQLException e) {
            throw new WaybillException(
                    "Could not " + what + ": " + e.getMessage()
                            + ". If the user lacks the right, apply the output of 'waybill schema print' as a user who has it"
                            + " ('waybill schema grants --role migration'), and set initialize-schema to never (setup: false of a"
                            + " relay's source).",
                    e);
        }
    }
}
