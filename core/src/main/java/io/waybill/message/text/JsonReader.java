package io.waybill.message.text;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Reads JSON in one pass, and builds nothing but what is asked for. */
final class JsonReader {

    private static final int MAX_DEPTH = 512;

    private final String text;
    private int at;

    JsonReader(String text) {
        this.text = text;
    }

    /** Where it was read to. */
    int position() {
        return at;
    }

    /** Reads one value and nothing else. */
    void document() {
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

    /**
     * The members of one object.
     *
     * @param raw whether strings keep their quotes, as JSON text
     */
    Map<String, String> members(boolean raw) {
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
                members.put(name, member(raw));
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

    /** The elements of one array, each as its JSON text. */
    List<String> elements() {
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

    private String member(boolean raw) {
        if (peek() == '"' && !raw) {
            return plainString();
        }
        int start = at;
        value(1);
        return text.substring(start, at);
    }

    String plainString() {
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

    static final class Malformed extends RuntimeException {
        Malformed(String message) {
            super(message, null, false, false);
        }

        @Override
        public String getMessage() {
            return String.valueOf(super.getMessage());
        }
    }
}
