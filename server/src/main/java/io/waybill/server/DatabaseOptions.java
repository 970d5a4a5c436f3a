package io.waybill.server;

import io.waybill.Time;
import io.waybill.WaybillException;
import io.waybill.jdbc.JdbcStore;
import io.waybill.jdbc.JdbcStoreOptions;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.function.BiFunction;
import java.util.function.Function;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Which database a command works on. */
final class DatabaseOptions {

    static final String PASSWORD_VARIABLE = "WAYBILL_DB_PASSWORD";

    @Spec(Spec.Target.MIXEE)
    @SuppressWarnings("NullAway.Init")
    private CommandSpec spec;

    @Option(
            names = "--db",
            paramLabel = "URL",
            defaultValue = "${env:WAYBILL_DB}",
            description = {
                "The database: postgresql://user@host:5432/database, mariadb://..., mysql://... or a JDBC URL.",
                "Its password comes from --password-file or the variable " + PASSWORD_VARIABLE + "."
            })
    private @Nullable String url;

    @Option(names = "--password-file", paramLabel = "FILE", description = "A file whose first line is the password.")
    private @Nullable Path passwordFile;

    @Option(
            names = "--table-prefix",
            paramLabel = "PREFIX",
            defaultValue = "",
            description = "What stands before the names of the tables.")
    private String prefix = "";

    boolean isGiven() {
        return url != null;
    }

    JdbcStoreOptions storeOptions() {
        return JdbcStoreOptions.DEFAULT.withPrefix(prefix);
    }

    /** Runs the work on the store in the database. */
    <T> T use(Function<JdbcStore, T> work) {
        return use(
                (pool, options) -> work.apply(JdbcStore.on(pool, options, Time.system())),
                storeOptions().retention());
    }

    /** Runs the work on the database, and explains what the database objects to. */
    <T> T use(BiFunction<DataSource, JdbcStoreOptions, T> work, Duration retention) {
        DatabaseUrl database = database();
        try (var pool = Pools.connected(database)) {
            return work.apply(pool, storeOptions().withRetention(retention));
        } catch (SQLException e) {
            throw DatabaseErrors.explained(database, e);
        } catch (WaybillException e) {
            throw DatabaseErrors.explained(database, e);
        }
    }

    /** The address without anything that must not be shown. */
    String shown() {
        return parsed().toString();
    }

    DatabaseUrl database() {
        DatabaseUrl parsed = parsed();
        String password = passwordOf(parsed);
        return password == null ? parsed : parsed.withPassword(password);
    }

    private DatabaseUrl parsed() {
        if (url == null) {
            throw new ParameterException(
                    spec.commandLine(),
                    "--db is missing: say which database, as in --db postgresql://user@host/database");
        }
        try {
            return DatabaseUrl.parse(url);
        } catch (WaybillException e) {
            throw new ParameterException(spec.commandLine(), e.getMessage(), e);
        }
    }

    private @Nullable String passwordOf(DatabaseUrl parsed) {
        if (passwordFile != null) {
            return Passwords.firstLine(passwordFile);
        }
        if (parsed.password() != null) {
            spec.commandLine()
                    .getErr()
                    .println("waybill: the password in --db can be seen by others on this machine; better use"
                            + " --password-file or " + PASSWORD_VARIABLE + ".");
            return parsed.password();
        }
        return System.getenv(PASSWORD_VARIABLE);
    }
}
