package io.waybill.message.text;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The JSON that core needs without a library: is this text well-formed (RFC 8259), and headers as a flat object.
 *
 * <p>It reads in one pass and builds nothing but the headers. What a document means is a codec's business.
 */
public final class Json {

    private static final int MAX_DEPTH = 512;

    private final String text;
    private boolean raw;
    private int at;

    private Json(String text) {
        this.text = text;
    }

    /** What is wrong with the text as JSON, or nothing. */
    public static Optional<String> problemIn(String text) {
        var json = new Json(text);
        try {
            json.document();
            return Optional.empty();
        } catch (Malformed e) {
            return Optional.of(e.getMessage() + " at position " + json.at);
        }
    }

    /** The members of a flat JSON object. Values that are not strings keep their JSON text; empty text is no members. */
    public static Map<String, String> readFlat(String text) {
        if (text.isBlank()) {
            return Map.of();
        }
        var json = new Json(text);
        try {
            return json.flatObject();
        } catch (Malformed e) {
            throw new IllegalArgumentException(
                    "'" + NameRules.shortened(text) + "' is not a JSON object of headers: " + e.getMessage()
                            + " at position " + json.at,
                    e);
        }
    }

    /** The members of a JSON object, each value as its JSON text: strings keep their quotes. */
    public static Map<String, String> readMembers(String text) {
        var json = new Json(text);
        json.raw = true;
        try {
            return json.flatObject();
        } catch (Malformed e) {
            throw new IllegalArgumentException(
                    "'" + NameRules.shortened(text) + "' is not a JSON object: " + e.getMessage() + " at position "
                            + json.at,
                    e);
        }
    }

    /** The elements of a JSON array, each as its JSON text. */
    public static List<String> readElements(String text) {
        var json = new Json(text);
        try {
            return json.elements();
        } catch (Malformed e) {
            throw new IllegalArgumentException(
                    "'" + NameRules.shortened(text) + "' is not a JSON array: " + e.getMessage() + " at position "
                            + json.at,
                    e);
        }
    }

    /** What a value of {@link #readMembers} says: a string without its quotes, anything else as it is. */
    public static String plain(String value) {
        return value.startsWith("\"") ? new Json(value).plainString() : value;
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

    private void document() {
        space();
        value(0);
        space();
        if (at < text.length()) {
            throw unexpected();
        }
    }

    private void value(int depth) {
        if (depth > MAX_DEPTH) {
            throw new Malformed("nested deeper than " + MAX_DEPTH);
        }
        switch (peek()) {
            case '{' -> object(depth);
            case '[' -> array(depth);
            case '"' -> string();
            case 't' -> word("true");
            case 'f' -> word("false");
            case 'n' -> word("null");
            default -> number();
        }
    }

    private void object(int depth) {
        expect('{');
        space();
        if (accept('}')) {
            return;
        }
        do {
            space();
            string();
            space();
            expect(':');
            space();
            value(depth + 1);
            space();
        } while (accept(','));
        expect('}');
    }

    private void array(int depth) {
        expect('[');
        space();
        if (accept(']')) {
            return;
        }
        do {
            space();
            value(depth + 1);
            space();
        } while (accept(','));
        expect(']');
    }

    private void string() {
        expect('"');
        skipPlain();
        for (char c = next(); c != '"'; c = next()) {
            if (c == '\\') {
                escape();
            } else if (c < 0x20) {
                at--;
                throw new Malformed("unescaped control character");
            }
            skipPlain();
        }
    }

    /** Most of a document is this; in local variables it takes a third of the time. */
    private void skipPlain() {
        String text = this.text;
        int end = text.length();
        int i = at;
        while (i < end) {
            char c = text.charAt(i);
            if (c == '"' || c == '\\' || c < 0x20) {
                break;
            }
            i++;
        }
        at = i;
    }

    private char escape() {
        char c = next();
        return switch (c) {
            case '"', '\\', '/' -> c;
            case 'b' -> '\b';
            case 'f' -> '\f';
            case 'n' -> '\n';
            case 'r' -> '\r';
            case 't' -> '\t';
            case 'u' -> unicode();
            default -> {
                at--;
                throw unexpected();
            }
        };
    }

    private char unicode() {
        int code = 0;
        for (int i = 0; i < 4; i++) {
            int digit = Character.digit(next(), 16);
            if (digit < 0) {
                at--;
                throw unexpected();
            }
            code = code << 4 | digit;
        }
        return (char) code;
    }

    private void number() {
        accept('-');
        if (!accept('0')) {
            digits();
        }
        if (accept('.')) {
            digits();
        }
        if (accept('e') || accept('E')) {
            if (!accept('+')) {
                accept('-');
            }
            digits();
        }
    }

    private void digits() {
        int start = at;
        while (at < text.length() && text.charAt(at) >= '0' && text.charAt(at) <= '9') {
            at++;
        }
        if (at == start) {
            throw unexpected();
        }
    }

    private void word(String word) {
        if (!text.startsWith(word, at)) {
            throw unexpected();
        }
        at += word.length();
    }

    private Map<String, String> flatObject() {
        var members = new LinkedHashMap<String, String>();
        space();
        expect('{');
        space();
        if (!accept('}')) {
            do {
                space();
                String name = plainString();
                space();
                expect(':');
                space();
                members.put(name, flatValue());
                space();
            } while (accept(','));
            expect('}');
        }
        space();
        if (at < text.length()) {
            throw unexpected();
        }
        return members;
    }

    private List<String> elements() {
        var elements = new ArrayList<String>();
        space();
        expect('[');
        space();
        if (!accept(']')) {
            do {
                space();
                int start = at;
                value(1);
                elements.add(text.substring(start, at));
                space();
            } while (accept(','));
            expect(']');
        }
        space();
        if (at < text.length()) {
            throw unexpected();
        }
        return elements;
    }

    private String flatValue() {
        if (peek() == '"' && !raw) {
            return plainString();
        }
        int start = at;
        value(1);
        return text.substring(start, at);
    }

    private String plainString() {
        expect('"');
        int start = at;
        int end = text.indexOf('"', start);
        int escaped = text.indexOf('\\', start);
        if (end >= 0 && (escaped < 0 || escaped > end)) {
            at = end + 1;
            return text.substring(start, end);
        }
        var out = new StringBuilder();
        for (char c = next(); c != '"'; c = next()) {
            out.append(c == '\\' ? escape() : c);
        }
        return out.toString();
    }

    private void space() {
        while (at < text.length() && " \t\n\r".indexOf(text.charAt(at)) >= 0) {
            at++;
        }
    }

    private char peek() {
        if (at >= text.length()) {
            throw new Malformed("unexpected end");
        }
        return text.charAt(at);
    }

    private char next() {
        char c = peek();
        at++;
        return c;
    }

    private boolean accept(char c) {
        if (at < text.length() && text.charAt(at) == c) {
            at++;
            return true;
        }
        return false;
    }

    private void expect(char c) {
        if (peek() != c) {
            throw unexpected();
        }
        at++;
    }

    private Malformed unexpected() {
        return new Malformed(at < text.length() ? "unexpected '" + text.charAt(at) + "'" : "unexpected end");
    }

    private static final class Malformed extends RuntimeException {
        Malformed(String message) {
            super(message, null, false, false);
        }

        @Override
        public String getMessage() {
            return String.valueOf(super.getMessage());
        }
    }
}
