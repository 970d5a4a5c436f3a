package io.waybill.process.definition;

import io.waybill.WaybillException;

/** The rule for names of steps: they are columns, keys and words in logs. */
final class StepNames {

    /** A step's name is a part of partition keys, which hold 255 characters. */
    private static final int LIMIT = 150;

    private StepNames() {}

    static String checked(String name) {
        if (name.isBlank() || name.length() > LIMIT || name.chars().anyMatch(c -> c < ' ' || c == '#')) {
            throw new WaybillException("'" + name + "' cannot be the name of a step: it needs 1 to " + LIMIT
                    + " characters, and no '#' or control character.");
        }
        return name;
    }
}
