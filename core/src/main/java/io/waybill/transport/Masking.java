package io.waybill.transport;

import java.util.Locale;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** What people may see of settings: a value is shown when it cannot be a secret, a name when it can be one. */
public final class Masking {

    public static final String MASK = "***";

    /** A number, perhaps with a unit, or a few plain words. */
    private static final Pattern HARMLESS = Pattern.compile(
            "-?[0-9]{1,9}([.,][0-9]{1,6})?( ?[A-Za-z%]{1,8})?|[a-z]{1,12}([-_.][a-z]{1,12}){0,3}|PT[0-9.]{1,9}[HMS]");

    private static final Pattern SECRET_NAME =
            Pattern.compile(".*(secret|pass|pwd|token|key|jaas|credential|auth|pem|cert|ssl).*");

    private static final Pattern NAME = Pattern.compile("[A-Za-z][A-Za-z0-9._-]{0,60}");

    private Masking() {}

    /** The value of a setting that is wrong, as far as it may be shown. */
    public static String value(@Nullable Object value) {
        String text = String.valueOf(value);
        return text.isEmpty() || HARMLESS.matcher(text).matches() ? text : MASK;
    }

    /** The value of a setting by its name. */
    public static String value(String name, @Nullable Object value) {
        return isSecret(name) ? MASK : value(value);
    }

    /** The name of a setting that nobody knows: what looks like none may be a secret that stands in the wrong place. */
    public static String name(String name) {
        return NAME.matcher(name).matches() ? name : MASK;
    }

    /** Whether a setting of this name holds a secret. */
    public static boolean isSecret(String name) {
        return SECRET_NAME.matcher(name.toLowerCase(Locale.ROOT)).matches();
    }

    /** A URL without credentials and without the values of its parameters, also one that cannot be taken apart. */
    public static String url(String url) {
        int question = url.indexOf('?');
        String before = question < 0 ? url : url.substring(0, question);
        String query = question < 0 ? "" : url.substring(question);
        int slashes = before.indexOf("//");
        int at = before.lastIndexOf('@');
        String shown;
        if (at > slashes && slashes >= 0) {
            shown = before.substring(0, slashes) + "//" + MASK + before.substring(at);
        } else if (query.contains("@") && slashes >= 0) {
            // A password with a question mark: everything before it may belong to it.
            return before.substring(0, slashes) + "//" + MASK;
        } else {
            shown = slashes < 0 && !before.contains(":") ? (before.isEmpty() ? "" : MASK) : before;
        }
        return shown + query.replaceAll("=[^&]*", "=" + MASK).replaceAll("([?&])[^=&]+(?=&|$)", "$1" + MASK);
    }
}
