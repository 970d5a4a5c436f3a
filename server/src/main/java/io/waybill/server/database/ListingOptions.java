package io.waybill.server.database;

import io.waybill.jdbc.JdbcStore;
import io.waybill.server.cli.Listing;
import io.waybill.server.cli.OutputOptions;
import java.io.PrintWriter;
import java.util.function.Function;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** What every command that shows something of a database has in common: where that is, and in which form it answers. */
public final class ListingOptions {

    @Spec(Spec.Target.MIXEE)
    @SuppressWarnings("NullAway.Init")
    private CommandSpec spec;

    @Mixin
    private DatabaseOptions database = new DatabaseOptions();

    @Mixin
    private OutputOptions output = new OutputOptions();

    public <T> T read(Function<JdbcStore, T> work) {
        return database.use(work);
    }

    public DatabaseOptions database() {
        return database;
    }

    public boolean isJson() {
        return output.isJson();
    }

    public PrintWriter out() {
        return spec.commandLine().getOut();
    }

    /** Shows the rows, or says to people that there are none. */
    public int show(Listing answer, String ifNone) {
        if (answer.isEmpty() && !isJson()) {
            out().println(ifNone);
        } else {
            output.print(answer, out());
        }
        return 0;
    }

    /** Tells people, and no program, how to go on. */
    public void hint(String text) {
        if (!isJson()) {
            spec.commandLine().getErr().println(text);
        }
    }
}
