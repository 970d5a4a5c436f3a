package io.waybill.console.api;

import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A change, as the audit has it: who, the same as a command line, why, and what became of it. */
final class Action {

    private Action() {}

    /**
     * What became of a change.
     *
     * @param what was done, in words
     * @param changed how many
     * @param refused how many were selected and not changed
     * @param command the same as a command line
     */
    record Done(String what, long changed, long refused, String command) {}

    /** Does it between the two halves of its entry in the audit, and wakes the relays. */
    static Done run(ApiCall call, String command, String reason, Supplier<Done> work) {
        ConsoleDatabase database = call.database();
        var done = new Done[1];
        database.store().operationLog().write(call.identity().name(), command, reason(reason), () -> {
            done[0] = work.get();
            return done[0].what();
        });
        database.wake();
        return done[0];
    }

    static String reason(String reason) {
        if (reason.isBlank()) {
            throw ApiError.invalid("A reason is missing: say why, it is written into the audit.");
        }
        return reason.strip();
    }

    /** A command line; an option whose value is empty is left out. */
    static String command(String command, String... optionsAndValues) {
        var text = new StringBuilder("waybill ").append(command);
        for (int i = 0; i + 1 < optionsAndValues.length; i += 2) {
            if (!optionsAndValues[i + 1].isEmpty()) {
                text.append(' ').append(optionsAndValues[i]).append(' ').append(quoted(optionsAndValues[i + 1]));
            }
        }
        return text.toString();
    }

    static String quoted(String value) {
        return value.matches("[A-Za-z0-9._/:@#-]+") ? value : "'" + value.replace("'", "'\\''") + "'";
    }

    static String words(Stream<String> values) {
        return values.map(Action::quoted).collect(Collectors.joining(" "));
    }
}
