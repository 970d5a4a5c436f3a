package io.waybill.server;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import picocli.CommandLine;

/** The command line, run inside the test. */
public record Cli(int exitCode, String out, String err) {

    /** By somebody who says yes to every change. */
    public static Cli run(String... arguments) {
        List<String> all = new ArrayList<>(List.of(arguments));
        CommandLine command = Main.commandLine();
        for (String argument : arguments) {
            CommandLine next = command.getSubcommands().get(argument);
            command = next == null ? command : next;
        }
        if (command.getCommandSpec().findOption("--yes") != null
                && !all.contains("--yes")
                && !all.contains("-y")
                && !all.contains("--help")) {
            all.add("--yes");
        }
        return exactly(all.toArray(String[]::new));
    }

    public static Cli exactly(String... arguments) {
        var out = new StringWriter();
        var err = new StringWriter();
        int exitCode = Main.commandLine()
                .setOut(new PrintWriter(out))
                .setErr(new PrintWriter(err))
                .execute(arguments);
        return new Cli(exitCode, out.toString(), err.toString());
    }

    /** A text with values in it. */
    public static String filled(String text, Object... values) {
        return String.format(Locale.ROOT, text, values);
    }
}
