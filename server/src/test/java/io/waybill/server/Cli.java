package io.waybill.server;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.Locale;

/** The command line, run inside the test. */
record Cli(int exitCode, String out, String err) {

    static Cli run(String... arguments) {
        var out = new StringWriter();
        var err = new StringWriter();
        int exitCode = Main.commandLine()
                .setOut(new PrintWriter(out))
                .setErr(new PrintWriter(err))
                .execute(arguments);
        return new Cli(exitCode, out.toString(), err.toString());
    }

    /** A text with values in it. */
    static String filled(String text, Object... values) {
        return String.format(Locale.ROOT, text, values);
    }
}
