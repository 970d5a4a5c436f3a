package io.waybill.jdbc.layout;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.waybill.WaybillException;
import io.waybill.jdbc.layout.table.Layout;
import io.waybill.jdbc.layout.table.Layouts;
import java.net.URLDecoder;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A transport as an application's {@code messenger.yaml} names it: {@code doctrine://default?queue_name=outbox}, or {@code
 * ordered-doctrine://...} for one that keeps the order of each key. The name of the connection is the application's own and means
 * nothing here.
 *
 * @param autoSetup whether the table may be upgraded
 * @param creates whether it may be created: when that is asked for, or the table is the usual one, whose name nobody mistypes
 */
public record MessengerDsn(Layout layout, boolean autoSetup, boolean creates) {

    private static final Pattern DSN =
            Pattern.compile("(?<ordered>ordered-)?doctrine://(?<name>[^?/]*)/?(\\?(?<query>.*))?");
    private static final Set<String> KNOWN =
            new TreeSet<>(Set.of("table_name", "queue_name", "redeliver_timeout", "auto_setup"));

    private static final Set<String> USUAL = Set.of("messenger_messages", "messenger_outbox");

    /** How PHP workers wait for new rows, which is none of our business. */
    private static final Set<String> OF_WORKERS = Set.of("use_notify", "check_delayed_interval", "get_notify_timeout");

    /** Whether the text is such a URL at all. */
    public static boolean isOne(String text) {
        return text.startsWith("doctrine://") || text.startsWith("ordered-doctrine://");
    }

    public static MessengerDsn parse(String text) {
        Matcher dsn = DSN.matcher(text);
        if (!dsn.matches()) {
            throw new WaybillException("'" + text + "' is not the URL of a Messenger transport. Write"
                    + " doctrine://default?table_name=messenger_outbox&queue_name=outbox, or ordered-doctrine://... to keep"
                    + " the order of each key.");
        }
        Map<String, String> options = options(dsn.group("query"));
        String table = options.getOrDefault("table_name", "messenger_messages");
        String queue = options.getOrDefault("queue_name", "default");
        Duration timeout = timeout(options.getOrDefault("redeliver_timeout", "3600"));
        boolean autoSetup = isTrue(options.getOrDefault("auto_setup", "true"));
        return new MessengerDsn(
                dsn.group("ordered") == null
                        ? Layouts.messenger(table, queue, timeout)
                        : Layouts.messengerOrdered(table, queue, timeout),
                autoSetup,
                autoSetup && (options.containsKey("auto_setup") || USUAL.contains(table)));
    }

    private static Map<String, String> options(String query) {
        Map<String, String> options = new LinkedHashMap<>();
        for (String pair : query == null ? new String[0] : query.split("&", -1)) {
            String[] parts = pair.split("=", 2);
            if ((!KNOWN.contains(parts[0]) && !OF_WORKERS.contains(parts[0])) || parts.length < 2) {
                throw new WaybillException("'" + pair + "' is no option of a Messenger transport here. Known are "
                        + String.join(", ", KNOWN) + ", each with a value.");
            }
            options.put(parts[0], URLDecoder.decode(parts[1], UTF_8));
        }
        return options;
    }

    private static Duration timeout(String seconds) {
        if (!seconds.matches("\\d{1,9}")) {
            throw new WaybillException("redeliver_timeout (" + seconds + ") is not a number of seconds.");
        }
        return Duration.ofSeconds(Long.parseLong(seconds));
    }

    /** The words that PHP takes for yes and no. */
    private static boolean isTrue(String value) {
        return switch (value.toLowerCase(Locale.ROOT)) {
            case "true", "1", "on", "yes" -> true;
            case "false", "0", "off", "no", "" -> false;
            default -> throw new WaybillException("auto_setup (" + value + ") is neither yes nor no.");
        };
    }
}
