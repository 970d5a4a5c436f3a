package io.waybill.jms.client;

import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/**
 * Headers as JMS properties, whose names must be Java identifiers: {@code x-tenant} becomes {@code x_HYPHEN_tenant}, a dot
 * {@code _DOT_} (both as Apache Camel writes them), and any other character {@code _u} with four hexadecimal digits and {@code _}.
 * A name that would be read back as another one has its underscores written that way too.
 *
 * <p><i>Threads:</i> safe.
 */
final class PropertyNames {

    private static final String HYPHEN = "_HYPHEN_";
    private static final String DOT = "_DOT_";
    private static final Pattern ESCAPED = Pattern.compile("_(HYPHEN|DOT|u[0-9a-f]{4})_");

    /** Words of the selector syntax, which no property may be called. */
    private static final Set<String> RESERVED =
            Set.of("NULL", "TRUE", "FALSE", "NOT", "AND", "OR", "BETWEEN", "LIKE", "IN", "IS", "ESCAPE");

    /** Names are few and come with every message; strangers' names must not fill the memory. */
    private static final int REMEMBERED = 1_000;

    private static final Map<String, String> ENCODED = new ConcurrentHashMap<>();
    private static final Map<String, String> DECODED = new ConcurrentHashMap<>();

    private PropertyNames() {}

    static String encode(String header) {
        String known = ENCODED.get(header);
        return known != null ? known : remember(ENCODED, header, encodeAnew(header));
    }

    static String decode(String property) {
        String known = DECODED.get(property);
        return known != null ? known : remember(DECODED, property, decodeAnew(property));
    }

    private static String encodeAnew(String header) {
        String encoded = escape(header, false);
        return decodeAnew(encoded).equals(header) ? encoded : escape(header, true);
    }

    private static String decodeAnew(String property) {
        return property.indexOf('_') < 0 ? property : ESCAPED.matcher(property).replaceAll(PropertyNames::character);
    }

    private static String character(MatchResult escaped) {
        return switch (escaped.group(1)) {
            case "HYPHEN" -> "-";
            case "DOT" -> ".";
            default -> {
                char character = (char) Integer.parseInt(escaped.group(1).substring(1), 16);
                yield character == '$' || character == '\\' ? "\\" + character : String.valueOf(character);
            }
        };
    }

    private static String escape(String header, boolean underscores) {
        boolean taken = header.startsWith("JMS") || RESERVED.contains(header.toUpperCase(Locale.ROOT));
        var out = new StringBuilder(header.length() + 16);
        for (int i = 0; i < header.length(); i++) {
            char character = header.charAt(i);
            if (character == '-') {
                out.append(HYPHEN);
            } else if (character == '.') {
                out.append(DOT);
            } else if (isPlain(character, i == 0) && !(underscores && character == '_') && !(taken && i == 0)) {
                out.append(character);
            } else {
                out.append("_u").append(hex(character)).append('_');
            }
        }
        return out.toString();
    }

    private static boolean isPlain(char character, boolean first) {
        return (character >= 'a' && character <= 'z')
                || (character >= 'A' && character <= 'Z')
                || character == '_'
                || (!first && character >= '0' && character <= '9');
    }

    private static String hex(char character) {
        return Integer.toHexString(0x10000 | character).substring(1);
    }

    private static String remember(Map<String, String> where, String from, String to) {
        if (where.size() < REMEMBERED) {
            where.put(from, to);
        }
        return to;
    }
}
