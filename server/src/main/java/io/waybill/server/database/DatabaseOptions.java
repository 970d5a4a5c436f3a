package io.waybill.server.database;

import io.waybill.Time;
import io.waybill.WaybillException;
import io.waybill.jdbc.JdbcStore;
import io.waybill.jdbc.schema.DatabaseRole;
import io.waybill.jdbc.schema.JdbcStoreOptions;
import io.waybill.server.cli.UsageErrors;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Supplier;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Which database a command works on. */
public final class DatabaseOptions {

    static final String PASSWORD_VARIABLE = "WAYBILL_DB_PASSWORD";
    private static final String URL_VARIABLE = "WAYBILL_DB";

    @Spec(Spec.Target.MIXEE)
    @SuppressWarnings("NullAway.Init")
    private CommandSpec spec;

    @Option(
            names = "--db",
            paramLabel = "URL",
            description = {
                "The database: postgresql://user@host:5432/database, mariadb://..., mysql://... or a JDBC URL.",
                "Its password comes from --password-file or the variable " + PASSWORD_VARIABLE + ".",
                "Without --db: the variable " + URL_VARIABLE + ", else the context in use ('waybill context list')."
            })
    private @Nullable String url;

    @Option(names = "--context", paramLabel = "NAME", description = "A saved database, instead of --db.")
    private @Nullable String context;

    @Option(names = "--password-file", paramLabel = "FILE", description = "A file whose first line is the password.")
    private @Nullable Path passwordFile;

    @Option(names = "--table-prefix", paramLabel = "PREFIX", description = "Prefix of the table names.")
    private @Nullable String prefix;

    /** Whether it was said here and now. */
    public boolean isGiven() {
        return url != null || context != null || System.getenv(URL_VARIABLE) != null;
    }

    /** Whether it was said, or a context is in use. */
    public boolean isKnown() {
        return isGiven() || !Contexts.saved().current().isEmpty();
    }

    public JdbcStoreOptions storeOptions() {
        String saved = prefix != null || !isKnown() ? "" : chosen().prefix();
        return JdbcStoreOptions.DEFAULT.withPrefix(prefix != null ? prefix : saved);
    }

    /** Runs the work on the store in the database. */
    public <T> T use(Function<JdbcStore, T> work) {
        return use(
                (pool, options) -> work.apply(JdbcStore.on(pool, options, Time.system())),
                storeOptions().retention());
    }

    /** Runs the work on the database, and explains what the database objects to. */
    public <T> T use(BiFunction<DataSource, JdbcStoreOptions, T> work, Duration retention) {
        DatabaseUrl database = database();
        try (var pool = Pools.connected(database)) {
            return explaining(
                    database, pool, () -> work.apply(pool, storeOptions().withRetention(retention)));
        } catch (SQLException e) {
            throw DatabaseErrors.explained(database, e);
        }
    }

    private <T> T explaining(DatabaseUrl database, DataSource pool, Supplier<T> work) {
        try {
            return work.get();
        } catch (WaybillException e) {
            throw DatabaseErrors.explained(
                    database,
                    e,
                    () -> JdbcStore.on(pool, storeOptions(), Time.system())
                            .rights(DatabaseRole.OPERATOR)
                            .lacking(pool));
        }
    }

    /** Runs the work on the database, whatever its tables look like. */
    public <T> T useAny(Function<DataSource, T> work) {
        return use((pool, options) -> work.apply(pool), storeOptions().retention());
    }

    /** The address without anything that must not be shown. */
    public String shown() {
        return UsageErrors.checked(spec, () -> DatabaseUrl.parse(chosen().db())).toString();
    }

    public DatabaseUrl database() {
        Contexts.Context chosen = chosen();
        DatabaseUrl parsed = UsageErrors.checked(spec, () -> DatabaseUrl.parse(chosen.db()));
        if (passwordFile != null) {
            return parsed.withPasswordFile(passwordFile);
        }
        if (url != null && parsed.password() != null) {
            spec.commandLine()
                    .getErr()
                    .println("waybill: the password in --db can be seen by others on this machine; better use"
                            + " --password-file or " + PASSWORD_VARIABLE + ".");
        }
        DatabaseUrl complete = chosen.database();
        String variable = System.getenv(PASSWORD_VARIABLE);
        return !complete.hasPassword() && variable != null ? complete.withPassword(variable) : complete;
    }

    /** A database that was saved under a name. */
    public record Saved(String name, DatabaseUrl url, String prefix) {}

    /** The database of this context. */
    public static Saved saved(String name) {
        Contexts.Context context = Contexts.saved().named(name);
        return new Saved(name, context.database(), context.prefix());
    }

    /** What was said most clearly: here, by the environment, or before. */
    private Contexts.Context chosen() {
        if (url != null && context != null) {
            throw new ParameterException(
                    spec.commandLine(), "--db and --context both say which database: leave one of them out.");
        }
        String given = url != null || context != null ? url : System.getenv(URL_VARIABLE);
        if (given != null) {
            return new Contexts.Context(given, "", "", "");
        }
        return UsageErrors.checked(spec, () -> {
            Contexts saved = Contexts.saved();
            String name = context != null ? context : saved.current();
            if (name.isEmpty()) {
                throw new WaybillException("--db is missing: say which database, as in --db"
                        + " postgresql://user@host/database, or save it: waybill context set NAME --db URL");
            }
            return saved.named(name);
        });
    }
}
