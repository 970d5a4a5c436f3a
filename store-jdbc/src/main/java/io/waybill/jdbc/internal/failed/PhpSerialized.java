package io.waybill.jdbc.internal.failed;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Reads what PHP's {@code serialize()} has written, as data: no class is looked for and nothing is run. A text has one character for
 * each byte, because lengths count bytes.
 */
final class PhpSerialized {

    private static final int MAX_DEPTH = 200;

    private final String text;
    private int at;

    private PhpSerialized(String text) {
        this.text = text;
    }

    /**
     * An object.
     *
     * @param members by their names without the class that declares them
     */
    record PhpObject(String type, Map<String, @Nullable Object> members) {

        @Nullable
        Object get(String member) {
            return members.get(member);
        }
    }

    /**
     * The value: {@link Long}, {@link String}, {@link Map} for an array, {@link PhpObject}; null for anything else.
     *
     * @throws IllegalArgumentException when it is none
     */
    static @Nullable Object read(String text) {
        return new PhpSerialized(text).value(0);
    }

    private @Nullable Object value(int depth) {
        if (depth > MAX_DEPTH) {
            throw malformed("nested deeper than " + MAX_DEPTH);
        }
        char kind = next();
        return switch (kind) {
            case 'N' -> {
                expect(';');
                yield null;
            }
            case 'i' -> {
                expect(':');
                yield parsed(until(';'));
            }
            case 'b', 'd', 'r', 'R' -> {
                expect(':');
                until(';');
                yield null;
            }
            case 's' -> {
                expect(':');
                String value = string();
                expect(';');
                yield value;
            }
            case 'E' -> {
                expect(':');
                string();
                expect(';');
                yield null;
            }
            case 'a' -> {
                expect(':');
                yield members(depth, false);
            }
            case 'O' -> {
                expect(':');
                String type = string();
                expect(':');
                yield new PhpObject(type, members(depth, true));
            }
            case 'C' -> {
                expect(':');
                String type = string();
                expect(':');
                int length = length();
                expect('{');
                skip(length);
                expect('}');
                yield new PhpObject(type, Map.of());
            }
            default -> throw malformed("unexpected '" + kind + "'");
        };
    }

    private Map<String, @Nullable Object> members(int depth, boolean ofObject) {
        int count = length();
        expect('{');
        Map<String, @Nullable Object> members = new LinkedHashMap<>();
        for (int i = 0; i < count; i++) {
            String name = String.valueOf(value(depth + 1));
            // A private member has the name of its class before it, between two zeros.
            members.put(ofObject ? name.substring(name.lastIndexOf('\0') + 1) : name, value(depth + 1));
        }
        expect('}');
        return members;
    }

    private String string() {
        int length = length();
        expect('"');
        String value = text.substring(at, skip(length));
        expect('"');
        return value;
    }

    private int length() {
        long length = parsed(until(':'));
        if (length < 0 || length > text.length() - at) {
            throw malformed("a length of " + length);
        }
        return (int) length;
    }

    private long parsed(String number) {
        try {
            return Long.parseLong(number);
        } catch (NumberFormatException e) {
            throw malformed("'" + number + "' is no number");
        }
    }

    private int skip(int length) {
        if (length > text.length() - at) {
            throw malformed("unexpected end");
        }
        at += length;
        return at;
    }

    private String until(char end) {
        int found = text.indexOf(end, at);
        if (found < 0 || found - at > 40) {
            throw malformed("no '" + end + "'");
        }
        String between = text.substring(at, found);
        at = found + 1;
        return between;
    }

    private char next() {
        if (at >= text.length()) {
            throw malformed("unexpected end");
        }
        return text.charAt(at++);
    }

    private void expect(char c) {
        if (next() != c) {
            at--;
            throw malformed("unexpected '" + text.charAt(at) + "'");
        }
    }

    private IllegalArgumentException malformed(String what) {
        return new IllegalArgumentException(
                "This is nothing that PHP has serialized: " + what + " at byte " + at + ".");
    }
}
