package io.waybill.server.change;

import io.waybill.jdbc.JdbcStore;
import io.waybill.server.cli.ChangeOptions;
import io.waybill.server.cli.Operator;
import io.waybill.server.cli.OutputOptions;
import io.waybill.server.database.DatabaseOptions;
import java.io.PrintWriter;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** What every request to an application has in common: a reason, a question, an entry in the audit, and relays that are woken. */
public final class SubmittedRequest {

    @Spec(Spec.Target.MIXEE)
    @SuppressWarnings("NullAway.Init")
    private CommandSpec spec;

    @Mixin
    private DatabaseOptions database = new DatabaseOptions();

    @Mixin
    private ChangeOptions change = new ChangeOptions();

    /** To be called first: it is checked before anything else. */
    public String reason() {
        change.requireReason();
        return change.reason();
    }

    public OutputOptions output() {
        return change.output();
    }

    public PrintWriter out() {
        return spec.commandLine().getOut();
    }

    /**
     * Sends it.
     *
     * @param what what it does, such as {@code start a Trip}
     * @param logged what the audit says about the result
     * @param report tells it to the operator, and gives the exit code
     */
    public <R> int run(
            String what, Function<JdbcStore, R> submit, Function<R, String> logged, Function<R, Integer> report) {
        if (change.isDryRun()) {
            out().println("Would " + what + ".");
            return 0;
        }
        return database.use(store -> {
            String question = Character.toUpperCase(what.charAt(0)) + what.substring(1);
            if (!change.isWanted(question, database.shown())) {
                return 1;
            }
            var result = new AtomicReference<R>();
            Operator.change(store, spec, database.shown(), change.reason(), () -> {
                result.set(submit.apply(store));
                return logged.apply(result.get());
            });
            return report.apply(result.get());
        });
    }
}
