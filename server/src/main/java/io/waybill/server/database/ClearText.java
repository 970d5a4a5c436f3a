package io.waybill.server.database;

import io.waybill.transport.TransportUrl;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Finds passwords that may travel in clear: to a host that is not this one, over a connection that need not be encrypted. */
public final class ClearText {

    private static final Pattern DATABASE_HOST = Pattern.compile("//(?:[^@/]*@)?(\\[[^]]+]|[^:/?;]+)");
    private static final Pattern DATABASE_TLS =
            Pattern.compile("[?&;](sslmode=(require|verify-ca|verify-full|trust)|ssl=true|usessl=true)");
    private static final Pattern LOOPBACK = Pattern.compile("localhost|127\\..*|\\[?::1]?");

    private ClearText() {}

    /** What is wrong, and what to do; nothing when the password is safe. */
    public static Optional<String> of(DatabaseUrl database) {
        Matcher host = DATABASE_HOST.matcher(database.jdbc());
        boolean safe = !database.hasPassword()
                || !host.find()
                || isLoopback(host.group(1))
                || DATABASE_TLS
                        .matcher(database.jdbc().toLowerCase(Locale.ROOT))
                        .find();
        String option = database.jdbc().startsWith("jdbc:mariadb:") ? "sslMode" : "sslmode";
        return safe
                ? Optional.empty()
                : Optional.of("The password for " + database + " may travel over a connection without TLS. Add ?"
                        + option + "=verify-full to the URL, with the certificate of the server's authority.");
    }

    public static Optional<String> of(TransportUrl broker) {
        boolean hasPassword = !broker.password().isEmpty()
                || broker.parameters().keySet().stream()
                        .anyMatch(name -> name.contains("sasl.jaas.config") || name.startsWith("password-"));
        boolean tls = switch (broker.scheme()) {
            case "kafka" ->
                broker.parameter("tls", "").equals("true")
                        || broker.parameter("kafka.security.protocol", "").contains("SSL");
            case "amqp" -> false;
            case "jms+artemis" -> broker.parameter("tls", "").equals("true");
            case "jms+ibmmq" -> !broker.parameter("cipher-suite", "").isEmpty();
            default -> true;
        };
        boolean safe = tls || !hasPassword || allAreLoopback(broker.hosts());
        return safe
                ? Optional.empty()
                : Optional.of("The password for " + broker.scheme() + "://" + String.join(",", broker.hosts())
                        + " travels over a connection without TLS. " + advice(broker.scheme()));
    }

    private static String advice(String scheme) {
        return switch (scheme) {
            case "amqp" -> "Write amqps://.";
            case "jms+ibmmq" -> "Give the channel a cipher suite, and the URL ?cipher-suite=NAME.";
            default -> "Add ?tls=true.";
        };
    }

    private static boolean allAreLoopback(List<String> hosts) {
        return hosts.stream().allMatch(host -> isLoopback(host.replaceFirst(":[0-9]+$", "")));
    }

    private static boolean isLoopback(String host) {
        return LOOPBACK.matcher(host.toLowerCase(Locale.ROOT)).matches();
    }
}
