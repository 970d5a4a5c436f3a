package io.waybill.server;

import java.io.Console;
import java.util.Locale;

/** The person at the other end, if there is one. */
@SuppressWarnings("SystemConsoleNull") // Null until Java 21; from Java 22 on isTerminal() tells.
final class Terminal {

    private Terminal() {}

    /** Whether a person reads and types: since Java 22 there is a console even without one. */
    static boolean isInteractive() {
        Console console = System.console();
        if (console == null || "dumb".equals(System.getenv("TERM"))) {
            return false;
        }
        try {
            return (boolean) Console.class.getMethod("isTerminal").invoke(console);
        } catch (ReflectiveOperationException e) {
            return true;
        }
    }

    /** Asks, and takes only a yes for a yes. Where nobody can be asked, the command line has said it all. */
    static boolean confirms(String question) {
        Console console = System.console();
        if (console == null || !isInteractive()) {
            return true;
        }
        String answer = console.readLine("%s [y/N] ", question);
        return answer != null && answer.strip().toLowerCase(Locale.ROOT).startsWith("y");
    }
}
