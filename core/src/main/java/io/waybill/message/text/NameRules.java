package io.waybill.message.text;

import io.waybill.WaybillException;

/** The rules for the names and keys of a message: the same for every database and broker. */
public final class NameRules {

    /** What the columns hold, in characters. */
    public static final int LIMIT = 255;

    private NameRules() {}

    /** A name or key that fits its column, or an error that says which one does not, and what to do. */
    static String checked(String what, String value) {
        if (value.length() > LIMIT) {
            throw new WaybillException("The " + what + " has " + value.length() + " characters, at most " + LIMIT
                    + " are kept: '" + shortened(value) + "'. Use the identifier of the thing, not its content.");
        }
        return withoutNul(what, value);
    }

    public static String required(String what, String value) {
        if (value.isBlank()) {
            throw new WaybillException("The " + what + " is empty. Give the message one before it is appended.");
        }
        return checked(what, value);
    }

    public static String withoutNul(String what, String value) {
        int at = value.indexOf('\0');
        if (at >= 0) {
            throw new WaybillException("The " + what + " contains the character U+0000 at position " + at
                    + ", which PostgreSQL cannot store as text. Remove it, or send the value as bytes.");
        }
        return value;
    }

    public static String shortened(String value) {
        return value.length() <= 60 ? value : value.substring(0, 57) + "...";
    }
}
