package io.waybill.spring.settings;

import io.waybill.WaybillException;
import io.waybill.transport.SecretMask;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** What is wrong with the settings, collected until all of it can be said at once. */
public final class SpringProblems {

    private final List<String> found;
    private final List<WaybillException> causes;
    private final UnaryOperator<String> keys;

    public SpringProblems() {
        this(new ArrayList<>(), new ArrayList<>(), UnaryOperator.identity());
    }

    private SpringProblems(List<String> found, List<WaybillException> causes, UnaryOperator<String> keys) {
        this.found = found;
        this.causes = causes;
        this.keys = keys;
    }

    /** The same collection, for settings that are found under other keys. */
    SpringProblems withKeys(UnaryOperator<String> keys) {
        return new SpringProblems(found, causes, keys);
    }

    /** A key, its value as far as it may be shown, and the rule. What is no text, or stands at a method, is no secret. */
    public void add(String key, @Nullable Object value, String rule) {
        String given = String.valueOf(value);
        String shown = shown(key, value);
        add(keys.apply(key)
                + (value == null ? " is not set: " : " = " + shown + ": ")
                + (shown.equals(given) ? rule : rule.replace(given, shown)));
    }

    private static String shown(String key, @Nullable Object value) {
        return value instanceof String text && !key.startsWith("@")
                ? SecretMask.setting(key, text)
                : String.valueOf(value);
    }

    /** What is not a setting, or has a value that is nobody's business. */
    public void refuse(String what, String why) {
        add(keys.apply(what) + ": " + why);
    }

    /** Two data sources may have the same one. */
    private void add(String problem) {
        if (!found.contains(problem)) {
            found.add(problem);
        }
    }

    /** The value, or what stands for it when the rule for it is broken. */
    public <T> T check(String key, @Nullable Object value, Supplier<T> setting, T otherwise) {
        try {
            return setting.get();
        } catch (WaybillException e) {
            String message = String.valueOf(e.getMessage());
            if (shown(key, value).equals(String.valueOf(value)) || !message.contains(String.valueOf(value))) {
                causes.add(e);
            }
            add(key, value, message);
            return otherwise;
        }
    }

    public boolean areThere() {
        return !found.isEmpty();
    }

    /** Refuses to go on when there is any problem. */
    public void report() {
        if (!found.isEmpty()) {
            var refused = new SpringMisconfiguredException(List.copyOf(found));
            causes.forEach(refused::addSuppressed);
            throw refused;
        }
    }
}
