package io.waybill.transport;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.waybill.WaybillException;
import io.waybill.message.text.NearestName;
import java.io.IOException;
import java.net.URLDecoder;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The address of a transport: {@code scheme://user:password@host:port,host:port/path?name=value}, or {@code scheme:path}, which may
 * also be written {@code scheme:///path}.
 *
 * <p>The last {@code @} before the parameters ends user and password, so a password may be written as it is unless it has a {@code ?},
 * {@code #} or {@code %}; one in a path is written {@code %40}. A password may also come from a file or from the environment:
 * {@code ?password-file=/run/secrets/broker} or {@code ?password-env=BROKER_PASSWORD}, and so may any setting of a Kafka client
 * ({@code kafka.sasl.jaas.config-file}).
 *
 * <p>Its text never shows the password, nor any parameter that may be a secret.
 *
 * @param hosts {@code host:port}, as many as were given; empty for {@code scheme:path}
 * @param path without the slash in front of it
 * @param parameters what follows the question mark, decoded
 */
public record TransportUrl(
        String scheme, String user, String password, List<String> hosts, String path, Map<String, String> parameters) {

    private static final Pattern HOST = Pattern.compile("(?:\\[[^]]+]|[^:\\[\\]]+)(?::(.*))?");
    private static final Pattern NUMBERS = Pattern.compile(":?[0-9]{1,5}|\\[[0-9a-fA-F:.]*]?[0-9]{0,5}|-[0-9]{1,4}|");
    private static final Pattern SOURCE = Pattern.compile("(password|(?:kafka|producer|consumer)\\..+)-(file|env)");
    private static final int HIGHEST_PORT = 65_535;

    public TransportUrl {
        hosts = List.copyOf(hosts);
        parameters = Map.copyOf(parameters);
    }

    public static TransportUrl parse(String url) {
        int colon = url.indexOf(':');
        if (colon < 1 || !url.substring(0, colon).matches("[A-Za-z][A-Za-z0-9+.-]*")) {
            throw new WaybillException("'" + withoutPassword(url) + "' is not the URL of a transport."
                    + " Write for example kafka://localhost:9092, amqp://localhost or stdout:");
        }
        String scheme = url.substring(0, colon).toLowerCase(Locale.ROOT);
        String rest = url.substring(colon + 1);
        int question = rest.indexOf('?');
        Map<String, String> parameters = parameters(url, question < 0 ? "" : rest.substring(question + 1));
        rest = question < 0 ? rest : rest.substring(0, question);
        if (!rest.startsWith("//") || rest.startsWith("///")) {
            String path = rest.startsWith("///") ? rest.substring(2) : rest;
            return new TransportUrl(scheme, "", "", List.of(), path, parameters);
        }
        // The last one: a password may have others, and slashes too.
        int at = rest.lastIndexOf('@');
        String credentials = at < 0 ? "" : rest.substring(2, at);
        rest = at < 0 ? rest : "//" + rest.substring(at + 1);
        int slash = rest.indexOf('/', 2);
        String authority = slash < 0 ? rest.substring(2) : rest.substring(2, slash);
        String path = slash < 0 ? "" : decoded(url, rest.substring(slash + 1));
        int separator = credentials.indexOf(':');
        return new TransportUrl(
                scheme,
                decoded(url, separator < 0 ? credentials : credentials.substring(0, separator)),
                separator < 0 ? "" : decoded(url, credentials.substring(separator + 1)),
                hostsIn(url, authority),
                path,
                parameters);
    }

    /** The same with everything that is to be read from files and from the environment. */
    public TransportUrl resolved(UnaryOperator<@Nullable String> environment) {
        var resolved = new LinkedHashMap<String, String>();
        String secret = password;
        for (var parameter : parameters.entrySet()) {
            Matcher source = SOURCE.matcher(parameter.getKey());
            if (!source.matches()) {
                resolved.put(parameter.getKey(), parameter.getValue());
                continue;
            }
            String value = source.group(2).equals("file")
                    ? firstLine(parameter.getKey(), parameter.getValue())
                    : variable(parameter.getKey(), parameter.getValue(), environment);
            if (source.group(1).equals("password")) {
                secret = value;
            } else {
                resolved.put(source.group(1), value);
            }
        }
        return new TransportUrl(scheme, user, secret, hosts, path, resolved);
    }

    /** The files in which secrets of this address are kept. */
    public List<Path> secretFiles() {
        return parameters.entrySet().stream()
                .filter(parameter -> parameter.getKey().equals("secret-file")
                        || (SOURCE.matcher(parameter.getKey()).matches()
                                && parameter.getKey().endsWith("-file")))
                .map(parameter -> Path.of(parameter.getValue()))
                .toList();
    }

    private String firstLine(String parameter, String file) {
        try {
            return Files.readString(Path.of(file)).lines().findFirst().orElse("");
        } catch (IOException | InvalidPathException e) {
            throw new WaybillException(
                    parameter + " of " + this + " names a file that cannot be read ("
                            + e.getClass().getSimpleName() + "). Give a readable file whose first line is the secret.",
                    e);
        }
    }

    private String variable(String parameter, String name, UnaryOperator<@Nullable String> environment) {
        String value = environment.apply(name);
        if (value == null) {
            throw new WaybillException(
                    parameter + " of " + this + " names an environment variable that is not set. Set it.");
        }
        return value;
    }

    /** The parameter, or what holds without it. */
    public String parameter(String name, String otherwise) {
        return parameters.getOrDefault(name, otherwise);
    }

    /** Refuses parameters that nobody reads: a slip of the pen would go unnoticed. */
    public void allowParameters(String... names) {
        var unknown = new TreeSet<>(parameters.keySet());
        unknown.removeAll(List.of(names));
        if (!unknown.isEmpty()) {
            throw new WaybillException(masking(unknown) + " has parameters that " + scheme + " does not know: "
                    + unknown.stream()
                            .map(name -> SecretMask.name(name) + didYouMean(name, List.of(names)))
                            .collect(Collectors.joining(", "))
                    + ". It knows "
                    + (names.length == 0 ? "none" : String.join(", ", new TreeSet<>(List.of(names)))) + ".");
        }
    }

    private static String didYouMean(String name, List<String> known) {
        return SecretMask.name(name).equals(name)
                ? NearestName.to(name, known)
                        .map(nearest -> " (did you mean '" + nearest + "'?)")
                        .orElse("")
                : "";
    }

    /** A secret whose name was misspelt is still a secret. */
    private TransportUrl masking(Set<String> names) {
        var masked = new LinkedHashMap<>(parameters);
        masked.replaceAll((name, value) -> names.contains(name) ? "***" : value);
        return new TransportUrl(scheme, user, password, hosts, path, masked);
    }

    /**
     * Takes {@code host:port,host:port} apart; the ports may be missing.
     *
     * @param address where this stands, for the error that says what is wrong with it
     */
    public static List<String> hostsIn(String address, String hosts) {
        var found = new ArrayList<String>();
        for (String host : hosts.split(",", -1)) {
            if (host.isBlank()) {
                throw new WaybillException("'" + withoutPassword(address) + "' names no host. Write host:port.");
            }
            checkPort(address, host.strip());
            found.add(host.strip());
        }
        return found;
    }

    private static void checkPort(String address, String host) {
        Matcher parts = HOST.matcher(host);
        if (!parts.matches()) {
            throw new WaybillException("'" + withoutPassword(address) + "' has '" + shown(address, host)
                    + "' where a host belongs. Write host:port, and an address of IPv6 in brackets.");
        }
        String port = parts.group(1);
        if (port != null && !isPort(port)) {
            String shown = shown(address, port);
            throw new WaybillException("'" + withoutPassword(address) + "' has the port '" + shown
                    + "'. A port is a number from 1 to " + HIGHEST_PORT
                    + (shown.equals(port) ? "." : ". Behind a user and a password comes '@' and the host."));
        }
    }

    /** A part of an address, unless it may belong to a password: one with a question mark in it, or one whose host was forgotten. */
    private static String shown(String address, String part) {
        int question = address.indexOf('?');
        boolean inQuery = question >= 0 && address.indexOf('@', question) >= 0;
        return inQuery || (!address.contains("@") && !NUMBERS.matcher(part).matches()) ? SecretMask.MASK : part;
    }

    private static boolean isPort(String text) {
        if (!text.matches("[0-9]{1,5}")) {
            return false;
        }
        int number = Integer.parseInt(text);
        return number > 0 && number <= HIGHEST_PORT;
    }

    private static Map<String, String> parameters(String url, String query) {
        var parameters = new LinkedHashMap<String, String>();
        for (String pair : query.isEmpty() ? new String[0] : query.split("&", -1)) {
            int equals = pair.indexOf('=');
            if (equals < 1) {
                throw new WaybillException("'" + withoutPassword(url) + "' has a parameter without a value."
                        + " Write parameters as ?name=value&name=value.");
            }
            parameters.put(decoded(url, pair.substring(0, equals)), decoded(url, pair.substring(equals + 1)));
        }
        return parameters;
    }

    private static String decoded(String url, String text) {
        try {
            return URLDecoder.decode(text.replace("+", "%2B"), UTF_8);
        } catch (IllegalArgumentException e) {
            throw new WaybillException(
                    "'" + withoutPassword(url) + "' has a '%' that is not followed by two hexadecimal digits."
                            + " Write a percent sign as %25.",
                    e);
        }
    }

    /** The text of a URL for people, also of one that cannot be taken apart. */
    public static String withoutPassword(String url) {
        return SecretMask.url(url);
    }

    @Override
    public String toString() {
        var text = new StringBuilder(scheme).append(':');
        if (!hosts.isEmpty()) {
            text.append("//");
            if (!user.isEmpty()) {
                text.append(user).append('@');
            }
            text.append(String.join(",", hosts)).append(path.isEmpty() ? "" : "/");
        }
        text.append(path);
        char separator = '?';
        for (var parameter : new java.util.TreeMap<>(parameters).entrySet()) {
            text.append(separator)
                    .append(SecretMask.name(parameter.getKey()))
                    .append('=')
                    .append(SecretMask.value(parameter.getKey(), parameter.getValue()));
            separator = '&';
        }
        return text.toString();
    }
}
