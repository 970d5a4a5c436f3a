package io.waybill.spring;

import io.waybill.WaybillException;
import io.waybill.process.UnhandledCommand;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** What is wrong with the settings, collected until all of it can be said at once. */
final class Problems {

    private final List<String> found = new ArrayList<>();

    void add(String key, @Nullable Object value, String rule) {
        found.add(key + (value == null ? " is not set: " : " = " + value + ": ") + rule);
    }

    /** What is not a setting, or has a value that is nobody's business. */
    void refuse(String what, String why) {
        String problem = what + ": " + why;
        if (!found.contains(problem)) {
            found.add(problem);
        }
    }

    void add(UnhandledCommand command) {
        add(
                "process " + command.process(),
                command.type() + "Command",
                "nobody handles this command: no bean has a public method that takes it, and no waybill.routes leads "
                        + command.queue() + " to a broker.");
    }

    /** The value, or what stands for it when the rule for it is broken. */
    <T> T check(String key, @Nullable Object value, Supplier<T> setting, T otherwise) {
        try {
            return setting.get();
        } catch (WaybillException e) {
            add(key, value, String.valueOf(e.getMessage()));
            return otherwise;
        }
    }

    /** The same for what nothing can stand for: without it there is no going on. */
    <T> T checked(String key, @Nullable Object value, Supplier<T> made) {
        try {
            return made.get();
        } catch (WaybillException e) {
            add(key, value, String.valueOf(e.getMessage()));
            var refused = new MisconfiguredException(List.copyOf(found));
            refused.initCause(e);
            throw refused;
        }
    }

    /** Refuses to go on when there is any problem. */
    void report() {
        if (!found.isEmpty()) {
            throw new MisconfiguredException(List.copyOf(found));
        }
    }
}
