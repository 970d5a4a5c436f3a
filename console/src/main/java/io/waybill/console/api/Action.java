package io.waybill.console.api;

import io.waybill.console.operation.Operation;
import io.waybill.console.operation.Operations;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** A change, as the audit has it: who, the same as a command line, why, and what became of it. */
public final class Action {

    /** A browser need not ask again for what takes no longer than this. */
    private static final Duration PATIENCE = Duration.ofSeconds(4);

    /** One with thousands of ids is started again by hand. */
    private static final int MAX_REQUEST = 20_000;

    private static final Pattern ESCAPED = Pattern.compile("[\\p{IsControl}'\\\\]");

    private Action() {}

    /**
     * What became of a change.
     *
     * @param what was done, in words
     * @param changed how many, so far
     * @param refused the same as {@code skipped}
     * @param total how many were selected when it began; null as long as that is not known
     * @param skipped how many were looked at and not changed
     * @param conflicting how many somebody else had changed before it came to them; known at its end
     * @param command the same as a command line
     * @param operation its id
     * @param running whether it goes on; the operation says how far it is
     */
    public record Done(
            String what,
            long changed,
            long refused,
            @Nullable Long total,
            long skipped,
            long conflicting,
            String command,
            String operation,
            boolean running) {

        static Done of(Operation operation, Optional<Operation.Result> result) {
            Operation.Counts counts = operation.counts();
            return new Done(
                    result.map(Operation.Result::what).orElse("It goes on"),
                    counts.changed(),
                    counts.skipped(),
                    counts.total(),
                    counts.skipped(),
                    counts.conflicting(),
                    operation.command(),
                    operation.id().toString(),
                    result.isEmpty());
        }
    }

    /** Does it as an operation, waits a little, and wakes the relays. */
    public static Done run(ApiCall call, String command, String reason, Operation.Work work) {
        return run(call, command, reason, "", work);
    }

    /** The same with a change of all that a filter selects, so that the same request does the rest when it is interrupted. */
    public static Done runAll(ApiCall call, String command, String reason, Operation.Work work) {
        String[] path = call.request().path().split("/", 5);
        String request = path[path.length - 1] + "\n" + call.request().body();
        return run(call, command, reason, request.length() > MAX_REQUEST ? "" : request, work);
    }

    private static Done run(ApiCall call, String command, String reason, String request, Operation.Work work) {
        ConsoleDatabase database = call.database();
        String why = reason(reason);
        Operation operation = call.context()
                .operations()
                .start(
                        database.store().operationLog(),
                        database.name(),
                        call.identity().name(),
                        command,
                        why,
                        request,
                        call.restOf(),
                        progress -> {
                            Operation.Result result = work.run(progress);
                            database.store().wakeRelays();
                            return result;
                        });
        return Done.of(operation, Operations.await(operation, PATIENCE));
    }

    /** Does something small between the two halves of its entry in the audit. */
    public static void now(ApiCall call, String command, String reason, Supplier<String> work) {
        call.database().store().operationLog().write(call.identity().name(), command, reason(reason), work);
    }

    public static String reason(String reason) {
        if (reason.isBlank()) {
            throw ApiError.invalid("A reason is missing: say why, it is written into the audit.");
        }
        return reason.strip();
    }

    /** A command line; an option whose value is empty is left out. A value is not taken for an option, nor for the file of more of them. */
    public static String command(String command, String... optionsAndValues) {
        var text = new StringBuilder("waybill ").append(command);
        for (int i = 0; i + 1 < optionsAndValues.length; i += 2) {
            if (!optionsAndValues[i + 1].isEmpty()) {
                text.append(' ')
                        .append(optionsAndValues[i])
                        .append(optionsAndValues[i + 1].matches("(?s)[-@].*") ? '=' : ' ')
                        .append(quoted(optionsAndValues[i + 1]));
            }
        }
        return text.toString();
    }

    /** A value for the shell; control characters, which a terminal would obey when it is pasted, as escapes. */
    public static String quoted(String value) {
        String text = value.replace('\0', '\ufffd'); // an argument cannot have it
        if (text.chars().anyMatch(Character::isISOControl)) {
            return "$'" + ESCAPED.matcher(text).replaceAll(found -> Matcher.quoteReplacement(octal(found.group())))
                    + "'";
        }
        return text.matches("[A-Za-z0-9._/:@,-]+") ? text : "'" + text.replace("'", "'\\''") + "'";
    }

    /** Its bytes in UTF-8. */
    private static String octal(String character) {
        int code = character.charAt(0);
        return String.format(Locale.ROOT, "%s\\%03o", code < 0x80 ? "" : "\\302", code);
    }
}
