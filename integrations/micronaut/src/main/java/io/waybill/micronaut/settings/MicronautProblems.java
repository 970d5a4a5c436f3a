package io.waybill.micronaut.settings;

import io.waybill.WaybillException;
import io.waybill.transport.SecretMask;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/** What is wrong with the configuration, collected until all of it can be said at once. */
public final class MicronautProblems {

    private final List<String> found = new ArrayList<>();

    /** A key, its value as far as it may be shown, and the remedy. What stands at a method is no setting. */
    public void add(String key, String value, String remedy) {
        String shown = key.startsWith("@") ? value : SecretMask.setting(key, value);
        add(key + " is '" + shown + "'. " + (shown.equals(value) ? remedy : remedy.replace(value, shown)));
    }

    public void add(String problem) {
        if (!found.contains(problem)) {
            found.add(problem);
        }
    }

    /** The value, or what stands for it when it cannot be made: the exception says why. */
    public <T> T check(String key, String value, Supplier<T> made, T otherwise) {
        try {
            return made.get();
        } catch (WaybillException e) {
            add(key, value, String.valueOf(e.getMessage()));
            return otherwise;
        }
    }

    public boolean areThere() {
        return !found.isEmpty();
    }

    /** Refuses to go on when there is any problem. */
    public void report() {
        if (!found.isEmpty()) {
            throw new MicronautMisconfiguredException("Waybill's configuration is wrong in " + found.size()
                    + (found.size() == 1 ? " place:" : " places:") + "\n  " + String.join("\n  ", found));
        }
    }
}
