package io.waybill.server.output;

import io.waybill.transport.SecretMask;
import java.util.Locale;

/** Text that is safe to be shown at a terminal: secrets are masked, and what a terminal would obey is escaped. */
public final class PlainText {

    private PlainText() {}

    /** Without secrets, and with everything that is no plain text written out, line breaks and tabs excepted. */
    public static String shown(String text) {
        return escaped(SecretMask.text(text));
    }

    /** Control characters, and those that change the direction of text, as they are written in Java. */
    public static String escaped(String text) {
        StringBuilder out = null;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (isUnsafe(c)) {
                if (out == null) {
                    out = new StringBuilder(text.length() + 16).append(text, 0, i);
                }
                out.append(String.format(Locale.ROOT, "\\u%04x", (int) c));
            } else if (out != null) {
                out.append(c);
            }
        }
        return out == null ? text : out.toString();
    }

    private static boolean isUnsafe(char c) {
        boolean plain = c == '\n' || c == '\t';
        boolean control = c < ' ' || (c >= 0x7f && c <= 0x9f);
        boolean direction = (c >= 0x202a && c <= 0x202e) || (c >= 0x2066 && c <= 0x2069);
        return !plain && (control || direction);
    }
}
