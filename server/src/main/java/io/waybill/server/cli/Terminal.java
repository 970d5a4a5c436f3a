package io.waybill.server.cli;

import java.io.BufferedReader;
import java.io.Console;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.Charset;
import java.util.Locale;

/** The person at the other end, if there is one. */
public @SuppressWarnings("SystemConsoleNull") // Null until Java 21; from Java 22 on isTerminal() tells.
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

    /** A secret: typed without showing it, or the first line of standard input where nobody types. */
    public static String secret(String prompt, Charset charset) throws IOException {
        Console console = System.console();
        if (console != null && isInteractive()) {
            char[] typed = console.readPassword("%s", prompt);
            return typed == null ? "" : new String(typed);
        }
        String line = new BufferedReader(new InputStreamReader(System.in, charset)).readLine();
        return line == null ? "" : line;
    }

    /** Asks, and takes only a yes for a yes. */
    static boolean confirms(String question) {
        Console console = System.console();
        if (console == null || !isInteractive()) {
            return false;
        }
        String answer = console.readLine("%s [y/N] ", question);
        return answer != null && answer.strip().toLowerCase(Locale.ROOT).startsWith("y");
    }
}
