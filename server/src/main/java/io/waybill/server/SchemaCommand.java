package io.waybill.server;

import io.waybill.jdbc.Dialect;
import io.waybill.jdbc.JdbcStore;
import io.waybill.jdbc.Schema;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The tables: printed for a person, or created. */
@Command(
        name = "schema",
        description = "The tables of Waybill.",
        mixinStandardHelpOptions = true,
        synopsisSubcommandLabel = "COMMAND",
        subcommands = {SchemaCommand.Print.class, SchemaCommand.Apply.class})
final class SchemaCommand extends CommandGroup {

    @Command(
            name = "print",
            description = "Prints the statements that create the tables, and changes nothing.",
            mixinStandardHelpOptions = true)
    static final class Print implements Callable<Integer> {

        @Spec
        @SuppressWarnings("NullAway.Init")
        private CommandSpec spec;

        @Mixin
        private DatabaseOptions database = new DatabaseOptions();

        @Option(
                names = "--dialect",
                description = "postgresql, mariadb, mysql or h2, when there is no database to ask.")
        private @Nullable Dialect dialect;

        @Override
        public Integer call() {
            Dialect chosen = dialect != null ? dialect : asked();
            spec.commandLine()
                    .getOut()
                    .print(Schema.of(chosen, database.storeOptions()).print());
            spec.commandLine().getOut().flush();
            return 0;
        }

        private Dialect asked() {
            if (!database.isGiven()) {
                throw new ParameterException(
                        spec.commandLine(),
                        "Say for which database: --dialect postgresql, mariadb, mysql or h2, or --db URL to ask it.");
            }
            return database.use(JdbcStore::dialect);
        }
    }

    @Command(
            name = "apply",
            description = "Creates the tables or brings them up to date. Never drops anything.",
            mixinStandardHelpOptions = true)
    static final class Apply implements Callable<Integer> {

        @Spec
        @SuppressWarnings("NullAway.Init")
        private CommandSpec spec;

        @Mixin
        private DatabaseOptions database = new DatabaseOptions();

        @Override
        public Integer call() {
            database.use(JdbcStore::initializeSchema);
            spec.commandLine().getOut().println("The tables of Waybill are up to date in " + database.shown() + ".");
            return 0;
        }
    }
}
