package io.waybill.server.schema;

import io.waybill.Time;
import io.waybill.WaybillException;
import io.waybill.jdbc.JdbcStore;
import io.waybill.jdbc.layout.AdoptedTable;
import io.waybill.jdbc.layout.schema.LayoutSchema;
import io.waybill.jdbc.layout.table.Layout;
import io.waybill.jdbc.schema.DatabaseRole;
import io.waybill.jdbc.schema.Schema;
import io.waybill.jdbc.schema.SchemaStatus;
import io.waybill.jdbc.schema.TableRights;
import io.waybill.jdbc.sql.Dialect;
import io.waybill.server.cli.CommandGroup;
import io.waybill.server.config.LayoutOptions;
import io.waybill.server.database.DatabaseOptions;
import java.io.PrintWriter;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The tables: printed for a person, created, or looked at. */
@Command(
        name = "schema",
        description = "Create, check and print the tables of Waybill and of other layouts.",
        mixinStandardHelpOptions = true,
        synopsisSubcommandLabel = "COMMAND",
        subcommands = {
            SchemaCommand.Print.class,
            SchemaCommand.Apply.class,
            SchemaCommand.Status.class,
            SchemaCommand.Validate.class,
            SchemaCommand.GrantStatements.class
        })
public final class SchemaCommand extends CommandGroup {

    /** What all of them ask for. */
    abstract static class OfTables implements Callable<Integer> {

        @Spec
        @SuppressWarnings("NullAway.Init")
        CommandSpec spec;

        @Mixin
        DatabaseOptions database = new DatabaseOptions();

        @Mixin
        LayoutOptions layout = new LayoutOptions();

        Optional<Layout> layout() {
            return layout.choice().layout();
        }

        PrintWriter out() {
            return spec.commandLine().getOut();
        }

        /** What is there of Waybill's own tables, or of the table of the layout. */
        SchemaStatus status() {
            return database.use(
                    (pool, options) -> {
                        JdbcStore store = JdbcStore.on(pool, options, Time.system());
                        return layout().map(one -> new LayoutSchema(one, store.dialect()).problems(pool))
                                .map(problems -> new SchemaStatus(List.of(), List.of(), problems, Map.of()))
                                .orElseGet(() -> store.schema().status(pool));
                    },
                    database.storeOptions().retention());
        }
    }

    @Command(
            name = "print",
            description = "Print the statements that create the tables. Changes nothing.",
            mixinStandardHelpOptions = true)
    static final class Print extends OfTables {

        @Option(names = "--dialect", description = "postgresql, mariadb, mysql or h2; for use without a database.")
        private @Nullable Dialect dialect;

        @Override
        public Integer call() {
            Dialect chosen = dialect != null ? dialect : asked();
            out().print(layout().map(one -> new LayoutSchema(one, chosen).print())
                    .orElseGet(() -> Schema.of(chosen, database.storeOptions()).print()));
            out().flush();
            return 0;
        }

        private Dialect asked() {
            if (!database.isKnown()) {
                throw new ParameterException(
                        spec.commandLine(),
                        "Say for which database: --dialect postgresql, mariadb, mysql or h2, or --db URL to ask it.");
            }
            return database.use(JdbcStore::dialect);
        }
    }

    @Command(
            name = "apply",
            description = "Create or upgrade the tables. Never drops anything.",
            mixinStandardHelpOptions = true)
    static final class Apply extends OfTables {

        @Override
        public Integer call() {
            String whose = database.use(
                    (pool, options) -> {
                        JdbcStore store = JdbcStore.on(pool, options, Time.system());
                        layout().ifPresentOrElse(
                                        one -> new LayoutSchema(one, store.dialect()).apply(pool),
                                        () -> store.schema().apply(pool));
                        return layout().map(one -> "the layout " + one.name()).orElse("Waybill");
                    },
                    database.storeOptions().retention());
            out().println("The tables of " + whose + " are up to date in " + database.shown() + ".");
            return 0;
        }
    }

    @Command(
            name = "status",
            description = "List the existing tables and what is missing.",
            mixinStandardHelpOptions = true)
    static final class Status extends OfTables {

        @Override
        public Integer call() {
            SchemaStatus status = status();
            status.applied().forEach(version -> out().println(version + " is there."));
            status.missing().forEach(version -> out().println(version + " is missing."));
            status.unreadable()
                    .forEach((version, tables) -> out().println(version + " is unknown: this user may not read "
                            + String.join(", ", tables) + "."));
            status.problems().forEach(problem -> out().println("- " + problem));
            layout().filter(one -> status.problems().isEmpty())
                    .ifPresent(
                            one -> out().println("The table " + one.table() + " fits the layout " + one.name() + "."));
            out().flush();
            return 0;
        }
    }

    @Command(
            name = "validate",
            description =
                    "Check tables, columns and indexes. Fails if one is missing or does not fit, and prints how to fix"
                            + " it.",
            mixinStandardHelpOptions = true)
    static final class Validate extends OfTables {

        @Override
        public Integer call() {
            SchemaStatus status = status();
            if (!status.problems().isEmpty()) {
                throw new WaybillException("The tables do not fit:\n- " + String.join("\n- ", status.problems()));
            }
            String hidden =
                    status.unreadable().values().stream().flatMap(List::stream).collect(Collectors.joining(", "));
            out().println(
                            hidden.isEmpty()
                                    ? "The tables fit."
                                    : "The tables fit that this user may read; it may not read " + hidden + ".");
            return 0;
        }
    }

    @Command(
            name = "grants",
            description = "Print the statements that grant a database user the minimal rights of a role.",
            mixinStandardHelpOptions = true)
    static final class GrantStatements extends OfTables {

        @Option(
                names = "--role",
                required = true,
                description = "relay, application, operator or migration; with --layout, relay.")
        @SuppressWarnings("NullAway.Init")
        private DatabaseRole role;

        @Option(
                names = "--user",
                paramLabel = "NAME",
                required = true,
                description = "The user as in a GRANT statement: waybill_relay, or 'waybill_relay'@'%%' on MariaDB.")
        @SuppressWarnings("NullAway.Init")
        private String user;

        @Option(names = "--dialect", description = "postgresql, mariadb, mysql or h2; for use without a database.")
        private @Nullable Dialect dialect;

        @Override
        public Integer call() {
            Dialect chosen = dialect != null ? dialect : database.use(JdbcStore::dialect);
            TableRights rights = layout().map(one -> ofLayout(one, chosen))
                    .orElseGet(() ->
                            TableRights.of(role, chosen, database.storeOptions().prefix()));
            rights.statements(user).forEach(statement -> out().println(statement + ";"));
            out().flush();
            return 0;
        }

        private TableRights ofLayout(Layout one, Dialect chosen) {
            if (role != DatabaseRole.RELAY) {
                throw new ParameterException(
                        spec.commandLine(),
                        "With --layout only --role relay is known: the table is its application's.");
            }
            return AdoptedTable.rights(one, chosen, true);
        }
    }
}
