package io.waybill.server.database;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.waybill.WaybillException;
import io.waybill.transport.SecretMask;
import java.net.URLDecoder;
import java.nio.file.Path;
import java.util.Properties;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Where a database is and who asks for it. Only {@link #toString} is ever shown: it has neither user nor password.
 *
 * @param jdbc the address for the driver
 * @param shown the address for people
 * @param password null when the URL has none
 * @param passwordFile whose first line is the password, read anew for every connection; null when there is none
 */
public record DatabaseUrl(
        String jdbc,
        String shown,
        @Nullable String user,
        @Nullable String password,
        @Nullable Path passwordFile) {

    private static final String FORMS = "Write postgresql://user@host:5432/database, mariadb://user@host:3306/database,"
            + " mysql://user@host:3306/database or a JDBC URL.";

    private static final Pattern URL = Pattern.compile("(?<scheme>[a-z]+)://"
            + "((?<user>[^:@/]*)(:(?<password>.*))?@)?(?<host>[^/?@]+)/(?<database>[^/?]+)(?<options>\\?.*)?");
    private static final Pattern HOST = Pattern.compile("([^:\\[\\]]+|\\[[0-9a-fA-F:.]+])(:[0-9]{1,5})?");
    private static final Pattern JDBC = Pattern.compile("jdbc:(?<driver>postgresql|mariadb|mysql|h2):.+");
    private static final Pattern NO_PORT = Pattern.compile("//[^/?;@]*?:([^0-9/,?;@][^/,?;@]*)");
    private static final Pattern PASSWORD = Pattern.compile("(?i)[?&;]password=([^&;]*)");

    public DatabaseUrl {
        SecretMask.remember(password);
    }

    public static DatabaseUrl parse(String text) {
        return text.startsWith("jdbc:") ? ofJdbc(text) : ofUrl(text);
    }

    private static DatabaseUrl ofUrl(String text) {
        Matcher url = URL.matcher(text);
        if (!url.matches()) {
            throw new WaybillException("The value of --db is not the URL of a database. " + FORMS);
        }
        String driver = switch (url.group("scheme")) {
            case "postgresql", "postgres" -> "postgresql";
            case "mariadb", "mysql" -> "mariadb";
            default ->
                throw new WaybillException(
                        "--db names a database '" + url.group("scheme") + "' that Waybill does not know. " + FORMS);
        };
        String host = url.group("host");
        if (!HOST.matcher(host).matches()) {
            throw new WaybillException(
                    "What stands before the database in --db is not a host with an optional port. " + FORMS);
        }
        String address = "://" + host + "/" + url.group("database");
        String options = url.group("options") == null ? "" : url.group("options");
        String password = url.group("password") == null ? passwordIn(options) : decoded(url.group("password"));
        String user = url.group("user") == null ? null : decoded(url.group("user"));
        return new DatabaseUrl(
                "jdbc:" + driver + address + options, url.group("scheme") + address, user, password, null);
    }

    private static DatabaseUrl ofJdbc(String text) {
        Matcher jdbc = JDBC.matcher(text);
        if (!jdbc.matches()) {
            throw new WaybillException("--db is a JDBC URL for a database that Waybill does not know. It works with"
                    + " jdbc:postgresql:, jdbc:mariadb:, jdbc:mysql: and jdbc:h2:.");
        }
        // The driver on board is MariaDB's; it speaks to MySQL too, but only under its own name.
        String address =
                text.startsWith("jdbc:mysql:") ? "jdbc:mariadb:" + text.substring("jdbc:mysql:".length()) : text;
        Matcher noPort = NO_PORT.matcher(text);
        if (noPort.find()) {
            // A password whose host was forgotten: the driver would repeat it.
            SecretMask.remember(noPort.group(1));
        }
        String shown = SecretMask.url(text.replaceFirst("[?;].*", "").replaceFirst("//.*@", "//"));
        return new DatabaseUrl(address, shown, null, passwordIn(text), null);
    }

    public DatabaseUrl withPassword(String other) {
        return new DatabaseUrl(jdbc, shown, user, other, null);
    }

    /**
     * Reads the password from a file.
     *
     * @throws WaybillException when the file cannot be read now; later it may change
     */
    public DatabaseUrl withPasswordFile(Path file) {
        Passwords.firstLine(file);
        return new DatabaseUrl(jdbc, shown, user, password, file);
    }

    boolean hasPassword() {
        return password != null || passwordFile != null;
    }

    Properties properties() {
        var properties = new Properties();
        if (user != null) {
            properties.setProperty("user", user);
        }
        String current = passwordFile == null ? password : Passwords.firstLine(passwordFile);
        if (current != null) {
            properties.setProperty("password", current);
        }
        return properties;
    }

    /** The text without anything that must not be shown, in one line. */
    public String redacted(String text) {
        String safe = SecretMask.text(text.replace(jdbc, shown));
        return safe.replaceAll("\\s+", " ").strip();
    }

    @Override
    public String toString() {
        return shown;
    }

    private static @Nullable String passwordIn(String options) {
        Matcher password = PASSWORD.matcher(options);
        return password.find() ? password.group(1) : null;
    }

    private static String decoded(String text) {
        try {
            return URLDecoder.decode(text.replace("+", "%2B"), UTF_8);
        } catch (IllegalArgumentException e) {
            throw new WaybillException(
                    "The user or password in --db has a '%' that is not followed by two hexadecimal digits. Write it as"
                            + " %25.",
                    e);
        }
    }
}
