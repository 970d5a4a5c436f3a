package io.waybill.server;

import io.waybill.transport.Masking;
import io.waybill.transport.TransportUrl;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Comparator;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Makes text safe to be shown: the secrets of this process are masked wherever they turn up, in an exception of a driver or a line of a
 * log, and what a terminal would obey is escaped.
 *
 * <p><i>Threads:</i> safe. Secrets are remembered for as long as the process lives.
 */
final class Redactor {

    /** Shorter ones are words of other texts as well: they are masked only behind a name that says what they are. */
    private static final int SHORTEST = 4;

    private static final Pattern PASSWORD_IN = Pattern.compile("password\\s*=\\s*\"((?:[^\"\\\\]|\\\\.)*)\"");
    private static final Pattern NAMED =
            Pattern.compile("(?i)((?:password|passwd|pwd|secret|token)=)(\"[^\"]*\"|'[^']*'|[^\\s\"'&;,)]+)");
    private static final Pattern CREDENTIALS = Pattern.compile("(://[^:/@\\s]*:)[^@\\s]*@");

    private static final Set<String> SECRETS = ConcurrentHashMap.newKeySet();

    private Redactor() {}

    /** Remembers a secret, and gives it back. */
    static @Nullable String remember(@Nullable String secret) {
        if (secret != null && secret.length() >= SHORTEST) {
            SECRETS.add(secret);
            SECRETS.add(URLEncoder.encode(secret, StandardCharsets.UTF_8));
            Matcher inside = PASSWORD_IN.matcher(secret);
            while (inside.find()) {
                remember(inside.group(1));
            }
        }
        return secret;
    }

    /** Remembers what is secret in the address of a broker. */
    static void remember(TransportUrl url) {
        remember(url.password());
        url.parameters().forEach((name, value) -> {
            if (Masking.isSecret(name) && !name.endsWith("-file") && !name.endsWith("-env")) {
                remember(value);
            }
        });
    }

    /** The text without secrets. A secret is masked as a whole word only. */
    static String masked(String text) {
        String safe = text;
        for (String secret : SECRETS.stream()
                .sorted(Comparator.comparingInt(String::length).reversed())
                .toList()) {
            if (safe.contains(secret)) {
                safe = Pattern.compile(boundary(secret.charAt(0), "(?<![A-Za-z0-9_])")
                                + Pattern.quote(secret)
                                + boundary(secret.charAt(secret.length() - 1), "(?![A-Za-z0-9_])"))
                        .matcher(safe)
                        .replaceAll(Matcher.quoteReplacement(Masking.MASK));
            }
        }
        safe = CREDENTIALS.matcher(safe).replaceAll("$1" + Masking.MASK + "@");
        return NAMED.matcher(safe).replaceAll(found -> Matcher.quoteReplacement(found.group(1) + Masking.MASK));
    }

    private static String boundary(char at, String condition) {
        return Character.isLetterOrDigit(at) || at == '_' ? condition : "";
    }

    /** Without secrets, and with everything that is no plain text written out, line breaks and tabs excepted. */
    static String shown(String text) {
        return escaped(masked(text));
    }

    /** Control characters, and those that change the direction of text, as they are written in Java. */
    static String escaped(String text) {
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
