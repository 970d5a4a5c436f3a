package io.waybill.message.text;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * The JSON that core needs without a library: is this text well-formed (RFC 8259), and headers as a flat object.
 *
 * <p>What a document means is a codec's business.
 */
public final class Json {

    private Json() {}

    /** What is wrong with the text as JSON, or nothing. */
    public static Optional<String> problemIn(String text) {
        var json = new JsonReader(text);
        try {
            json.document();
            return Optional.empty();
        } catch (JsonReader.Malformed e) {
            return Optional.of(e.getMessage() + " at position " + json.position());
        }
    }

    /** The members of a flat JSON object. Values that are not strings keep their JSON text; empty text is no members. */
    public static Map<String, String> readFlat(String text) {
        return text.isBlank() ? Map.of() : read(text, "a JSON object of headers", json -> json.members(false));
    }

    /** The members of a JSON object, each value as its JSON text: strings keep their quotes. */
    public static Map<String, String> readMembers(String text) {
        return read(text, "a JSON object", json -> json.members(true));
    }

    /** The elements of a JSON array, each as its JSON text. */
    public static List<String> readElements(String text) {
        return read(text, "a JSON array", JsonReader::elements);
    }

    private static <T> T read(String text, String what, Function<JsonReader, T> read) {
        var json = new JsonReader(text);
        try {
            return read.apply(json);
        } catch (JsonReader.Malformed e) {
            throw new IllegalArgumentException(
                    "'" + NameRules.shortened(text) + "' is not " + what + ": " + e.getMessage() + " at position "
                            + json.position(),
                    e);
        }
    }

    /** What a value of {@link #readMembers} says: a string without its quotes, anything else as it is. */
    public static String plain(String value) {
        return value.startsWith("\"") ? new JsonReader(value).plainString() : value;
    }

    /** The members as a JSON object, in the map's order; no members are the empty text. */
    public static String writeFlat(Map<String, String> members) {
        if (members.isEmpty()) {
            return "";
        }
        var out = new StringBuilder(32 * members.size()).append('{');
        members.forEach((name, value) -> {
            if (out.length() > 1) {
                out.append(',');
            }
            quote(out, name);
            out.append(':');
            quote(out, value);
        });
        return out.append('}').toString();
    }

    /** Appends the value as a JSON string. */
    public static void quote(StringBuilder out, String value) {
        out.append('"');
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            switch (c) {
                case '"' -> out.append("\\\"");
                case '\\' -> out.append("\\\\");
                case '\n' -> out.append("\\n");
                case '\r' -> out.append("\\r");
                case '\t' -> out.append("\\t");
                default -> {
                    // Some terminals obey those behind 0x7e as well.
                    if (c < 0x20 || (c >= 0x7f && c <= 0x9f) || isHalf(value, i)) {
                        escape(out, c);
                    } else {
                        out.append(c);
                    }
                }
            }
        }
        out.append('"');
    }

    private static void escape(StringBuilder out, char c) {
        out.append("\\u");
        for (int shift = 12; shift >= 0; shift -= 4) {
            out.append(Character.forDigit((c >> shift) & 15, 16));
        }
    }

    /** Half of a character, which has no bytes and would be written as a question mark. */
    public static boolean isHalf(String text, int at) {
        char c = text.charAt(at);
        if (Character.isHighSurrogate(c)) {
            return at + 1 == text.length() || !Character.isLowSurrogate(text.charAt(at + 1));
        }
        return Character.isLowSurrogate(c) && (at == 0 || !Character.isHighSurrogate(text.charAt(at - 1)));
    }
}
