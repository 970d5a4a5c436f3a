package io.waybill.server.database;

import io.waybill.WaybillException;
import io.waybill.server.cli.CommandGroup;
import io.waybill.server.cli.Listing;
import io.waybill.server.cli.OutputOptions;
import io.waybill.server.cli.Terminal;
import io.waybill.server.cli.UsageErrors;
import io.waybill.server.database.Contexts.Context;
import java.io.IOException;
import java.nio.charset.Charset;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Databases by name, so that --db need not be written each time. */
@Command(
        name = "context",
        description = {
            "Save databases under names, for commands without --db.",
            "",
            "Contexts are stored in ~/.config/waybill/contexts.yaml (WAYBILL_CONTEXTS or XDG_CONFIG_HOME change"
                    + " the place), which only you may read. Prefer a separate file for the password: --password-file."
        },
        mixinStandardHelpOptions = true,
        synopsisSubcommandLabel = "COMMAND",
        subcommands = {
            ContextCommand.Set.class,
            ContextCommand.Use.class,
            ContextCommand.ListAll.class,
            ContextCommand.Remove.class
        })
public final class ContextCommand extends CommandGroup {

    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9._-]{1,64}");

    @Command(name = "set", description = "Save a database under a name.", mixinStandardHelpOptions = true)
    static final class Set implements Callable<Integer> {

        @Spec
        @SuppressWarnings("NullAway.Init")
        private CommandSpec spec;

        @Parameters(paramLabel = "NAME", description = "Letters, digits, '.', '_' and '-'.")
        @SuppressWarnings("NullAway.Init")
        private String name;

        @Option(
                names = "--db",
                paramLabel = "URL",
                required = true,
                description =
                        "The database: postgresql://user@host/database, mariadb://..., mysql://... or a JDBC URL.")
        @SuppressWarnings("NullAway.Init")
        private String url;

        @Option(
                names = "--table-prefix",
                paramLabel = "PREFIX",
                defaultValue = "",
                description = "Prefix of the table names.")
        private String prefix = "";

        @Option(names = "--use", description = "Use it from now on; the first context is used automatically.")
        private boolean use;

        @ArgGroup
        private @Nullable Secret secret;

        /** Where the password is, at one place at most. */
        static final class Secret {

            @Option(
                    names = "--password-file",
                    paramLabel = "FILE",
                    description = "A file whose first line is the password; it is read at each use.")
            private @Nullable Path file;

            @Option(
                    names = "--ask-password",
                    description = "Ask for the password, or read it from standard input, and store it in the context.")
            private boolean ask;
        }

        @Override
        public Integer call() {
            if (!NAME.matcher(name).matches()) {
                throw new ParameterException(
                        spec.commandLine(),
                        "The name '" + name + "' must have 1 to 64 letters, digits, '.', '_' or '-'.");
            }
            var context = new Context(url, asked(), passwordFile(), prefix);
            checked(context);
            Contexts contexts = Contexts.saved().with(name, context);
            contexts = use ? contexts.using(name) : contexts;
            contexts.save();
            spec.commandLine()
                    .getOut()
                    .println("Saved in " + contexts.file() + ", which only you may read."
                            + (contexts.current().equals(name)
                                    ? " It is used from now on."
                                    : " To use it: waybill context use " + name));
            return 0;
        }

        private void checked(Context context) {
            DatabaseUrl parsed = UsageErrors.checked(spec, () -> DatabaseUrl.parse(context.db()));
            if (parsed.password() != null) {
                spec.commandLine()
                        .getErr()
                        .println("waybill: the password in --db is kept with the context, and could be seen by others"
                                + " while you typed it; better use --password-file or --ask-password.");
            }
        }

        private String passwordFile() {
            if (secret == null || secret.file == null) {
                return "";
            }
            if (!Files.isReadable(secret.file)) {
                throw new ParameterException(
                        spec.commandLine(), "--password-file: " + secret.file + " cannot be read.");
            }
            return secret.file.toAbsolutePath().toString();
        }

        private String asked() {
            try {
                return secret == null || !secret.ask ? "" : Terminal.secret("Password: ", Charset.defaultCharset());
            } catch (IOException e) {
                throw new WaybillException("Could not read the password from standard input: " + e, e);
            }
        }
    }

    @Command(name = "use", description = "Use a context from now on.", mixinStandardHelpOptions = true)
    static final class Use implements Callable<Integer> {

        @Spec
        @SuppressWarnings("NullAway.Init")
        private CommandSpec spec;

        @Parameters(paramLabel = "NAME", description = "The name of a saved context.")
        @SuppressWarnings("NullAway.Init")
        private String name;

        @Override
        public Integer call() {
            Contexts contexts = Contexts.saved().using(name);
            contexts.save();
            spec.commandLine()
                    .getOut()
                    .println("Commands without --db work on "
                            + DatabaseUrl.parse(contexts.named(name).db()) + " now.");
            return 0;
        }
    }

    @Command(name = "list", description = "List the saved contexts.", mixinStandardHelpOptions = true)
    static final class ListAll implements Callable<Integer> {

        @Spec
        @SuppressWarnings("NullAway.Init")
        private CommandSpec spec;

        @Mixin
        private OutputOptions output = new OutputOptions();

        @Override
        public Integer call() {
            Contexts contexts = Contexts.saved();
            if (contexts.all().isEmpty() && !output.isJson()) {
                spec.commandLine()
                        .getOut()
                        .println("No contexts are saved. Save one: waybill context set NAME --db URL");
                return 0;
            }
            var answer = new Listing("current", "name", "db", "user", "tablePrefix", "password");
            contexts.all().forEach((name, context) -> {
                DatabaseUrl url = DatabaseUrl.parse(context.db());
                boolean current = contexts.current().equals(name);
                answer.add(
                        output.isJson() ? (Object) current : current ? "*" : "",
                        name,
                        url.toString(),
                        url.user(),
                        context.prefix(),
                        context.secret());
            });
            output.print(answer, spec.commandLine().getOut());
            return 0;
        }
    }

    @Command(name = "remove", description = "Remove a context.", mixinStandardHelpOptions = true)
    static final class Remove implements Callable<Integer> {

        @Spec
        @SuppressWarnings("NullAway.Init")
        private CommandSpec spec;

        @Parameters(paramLabel = "NAME", description = "The name of a saved context.")
        @SuppressWarnings("NullAway.Init")
        private String name;

        @Override
        public Integer call() {
            Contexts contexts = Contexts.saved();
            contexts.named(name);
            contexts.without(name).save();
            spec.commandLine().getOut().println("Forgotten: " + name + ". The database itself is untouched.");
            return 0;
        }
    }
}
