package io.waybill.transport;

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
 * What people may see of settings: a value is shown when it cannot be a secret, a name when it can be one. Secrets that are remembered are masked
 * wherever they turn up, in an exception of a driver or a line of a log.
 *
 * <p><i>Threads:</i> safe. Secrets are remembered for as long as the process lives.
 */
public final class SecretMask {

    public static final String MASK = "***";

    /** A number, perhaps with a unit, or a few plain words. */
    private static final Pattern HARMLESS = Pattern.compile(
            "-?[0-9]{1,9}([.,][0-9]{1,6})?( ?[A-Za-z%]{1,8})?|[a-z]{1,12}([-_.][a-z]{1,12}){0,3}|PT[0-9.]{1,9}[HMS]");

    private static final Pattern SECRET_NAME =
            Pattern.compile(".*(secret|pass|pwd|token|key|jaas|credential|auth|pem|cert|ssl).*");

    private static final Pattern NAME = Pattern.compile("[A-Za-z][A-Za-z0-9._-]{0,60}");

    /** Words of letters, with a digit or two behind them: secrets seldom look so. */
    private static final Pattern NAMES =
            Pattern.compile("[A-Za-z*]{1,40}[0-9]{0,2}(?:(?:[._-]|, ?| to )[A-Za-z*]{1,40}[0-9]{0,2}){0,40}");

    /** Shorter ones are words of other texts as well: they are masked only behind a name that says what they are. */
    private static final int SHORTEST = 4;

    private static final Pattern PASSWORD_IN = Pattern.compile("password\\s*=\\s*\"((?:[^\"\\\\]|\\\\.)*)\"");
    private static final Pattern NAMED =
            Pattern.compile("(?i)((?:password|passwd|pwd|secret|token)=)(\"[^\"]*\"|'[^']*'|[^\\s\"'&;,)]+)");
    private static final Pattern CREDENTIALS = Pattern.compile("(://[^:/@\\s]*:)[^@\\s]*@");

    /** Hosts with their ports; anything else there may be the password of a URL whose host was forgotten. */
    private static final Pattern HOSTS = Pattern.compile(
            "(?:[^:,\\[\\]]*|\\[[0-9a-fA-F:.]*])(?::[0-9]{1,5})?(?:,(?:[^:,\\[\\]]*|\\[[0-9a-fA-F:.]*])(?::[0-9]{1,5})?)*");

    /** Nobody makes a secret that looks like this. */
    private static final Pattern HOST_OR_USER =
            Pattern.compile("([a-z][a-z0-9-]{0,19}(\\.[a-z0-9-]{1,20}){0,5}|[0-9]{1,3}(\\.[0-9]{1,3}){3}):");

    private static final Set<String> SECRETS = ConcurrentHashMap.newKeySet();

    private SecretMask() {}

    /** The value of a setting that is wrong, as far as it may be shown. */
    public static String value(@Nullable Object value) {
        String text = String.valueOf(value);
        return text.isEmpty() || HARMLESS.matcher(text).matches() ? text : MASK;
    }

    /** The value of a setting by its name. */
    public static String value(String name, @Nullable Object value) {
        return isSecret(name) ? MASK : value(value);
    }

    /** The same where a value may also be an address, or names: of queues, destinations, beans. */
    public static String setting(String name, String value) {
        if (!isSecret(name) && NAMES.matcher(value).matches()) {
            return value;
        }
        return value.contains(":") && !isSecret(name) ? url(value) : value(name, value);
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
            return hostless(before, slashes);
        } else {
            shown = slashes < 0 && !before.contains(":") ? (before.isEmpty() ? "" : MASK) : withoutHostless(before);
        }
        return shown + query.replaceAll("=[^&]*", "=" + MASK).replaceAll("([?&])[^=&]+(?=&|$)", "$1" + MASK);
    }

    private static String withoutHostless(String url) {
        int slashes = url.indexOf("//");
        if (slashes < 0) {
            return url;
        }
        String authority = url.substring(slashes + 2).replaceFirst("/.*", "");
        return HOSTS.matcher(authority).matches() ? url : hostless(url, slashes);
    }

    /** What stands before the first colon is a host or a user, when it looks like one; what follows may be a password. */
    private static String hostless(String url, int slashes) {
        String first = url.substring(slashes + 2).replaceFirst(":.*", ":");
        return url.substring(0, slashes) + "//" + (HOST_OR_USER.matcher(first).matches() ? first : "") + MASK;
    }

    /** Remembers a secret, and gives it back. */
    public static @Nullable String remember(@Nullable String secret) {
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
    public static void remember(TransportUrl url) {
        remember(url.password());
        url.parameters().forEach((name, value) -> {
            if (isSecret(name) && !name.endsWith("-file") && !name.endsWith("-env")) {
                remember(value);
            }
        });
    }

    /** The text without secrets. A secret is masked as a whole word only. */
    public static String text(String text) {
        String safe = text;
        for (String secret : SECRETS.stream()
                .sorted(Comparator.comparingInt(String::length).reversed())
                .toList()) {
            if (safe.contains(secret)) {
                safe = Pattern.compile(boundary(secret.charAt(0), "(?<![A-Za-z0-9_])")
                                + Pattern.quote(secret)
                                + boundary(secret.charAt(secret.length() - 1), "(?![A-Za-z0-9_])"))
                        .matcher(safe)
                        .replaceAll(Matcher.quoteReplacement(MASK));
            }
        }
        safe = CREDENTIALS.matcher(safe).replaceAll("$1" + MASK + "@");
        return NAMED.matcher(safe).replaceAll(found -> Matcher.quoteReplacement(found.group(1) + MASK));
    }

    private static String boundary(char at, String condition) {
        return Character.isLetterOrDigit(at) || at == '_' ? condition : "";
    }
}
