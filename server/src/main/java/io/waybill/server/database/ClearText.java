package io.waybill.server.database;

import io.waybill.transport.TransportUrl;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Finds passwords that may travel in clear: to a host that is not this one, over a connection that need not be encrypted. */
public final class ClearText {

    /** All hosts of a JDBC URL, with their ports. */
    private static final Pattern DATABASE_HOSTS = Pattern.compile("//([^/?;]*)");

    /** How the driver of MariaDB may be given a host. */
    private static final Pattern ADDRESS = Pattern.compile("address=.*\\(host=([^)]*)\\).*");

    private static final Pattern DATABASE_TLS =
            Pattern.compile("[?&;](sslmode=(require|verify-ca|verify-full|trust)|ssl=true|usessl=true)");
    private static final Pattern LOOPBACK = Pattern.compile("localhost|127(\\.[0-9]{1,3}){3}|\\[?::1]?");

    private ClearText() {}

    /** What is wrong, and what to do; nothing when the password is safe. */
    public static Optional<String> of(DatabaseUrl database) {
        Matcher hosts = DATABASE_HOSTS.matcher(database.jdbc());
        boolean safe = !database.hasPassword()
                || !hosts.find()
                || allAreLoopback(List.of(hosts.group(1).split(",", -1)))
                || demandsTls(database);
        return safe
                ? Optional.empty()
                : Optional.of("The password for " + database + " may travel over a connection without TLS. "
                        + advice(database));
    }

    /** Whether the URL demands an encrypted connection. */
    public static boolean demandsTls(DatabaseUrl database) {
        return database.jdbc().startsWith("jdbc:h2:ssl:")
                || DATABASE_TLS
                        .matcher(database.jdbc().toLowerCase(Locale.ROOT))
                        .find();
    }

    private static String advice(DatabaseUrl database) {
        if (database.jdbc().startsWith("jdbc:h2:")) {
            return "Write jdbc:h2:ssl:.";
        }
        return "Add ?" + (database.jdbc().startsWith("jdbc:mariadb:") ? "sslMode" : "sslmode")
                + "=verify-full to the URL, with the certificate of the server's authority.";
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
        return hosts.stream().allMatch(ClearText::isLoopback);
    }

    private static boolean isLoopback(String host) {
        Matcher address = ADDRESS.matcher(host.toLowerCase(Locale.ROOT));
        String name = address.matches()
                ? address.group(1)
                : host.toLowerCase(Locale.ROOT).replaceFirst(":[0-9]+$", "");
        return name.isEmpty() || LOOPBACK.matcher(name).matches();
    }
}
