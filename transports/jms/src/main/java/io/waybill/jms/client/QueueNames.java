package io.waybill.jms.client;

import io.waybill.WaybillException;
import java.util.Locale;
import java.util.regex.Pattern;

/**
 * The naming convention of queues: {@code {prefix}.{TYPE}.{suffix}}. With {@code new QueueNames("APP.CMD", "Q")} what is sent to
 * {@code CreateOrder} goes to {@code APP.CMD.CREATEORDER.Q}.
 *
 * @param prefix may be empty
 * @param suffix may be empty
 */
public record QueueNames(String prefix, String suffix) {

    /** No convention: a destination is the name of its queue. */
    public static final QueueNames AS_GIVEN = new QueueNames("", "");

    /** What IBM MQ allows, which is the strictest. */
    private static final Pattern LEGAL = Pattern.compile("[A-Za-z0-9._/%]{1,48}");

    public QueueNames {
        if (!(prefix + suffix).isEmpty() && !LEGAL.matcher(prefix + suffix).matches()) {
            throw new WaybillException("queue-prefix '" + prefix + "' and queue-suffix '" + suffix
                    + "' may have letters, digits, '.', '_', '/' and '%', 48 in all.");
        }
    }

    /** The queue of a destination or a message type. One that already has the form stays as it is. */
    public String of(String destination) {
        if (equals(AS_GIVEN)) {
            return destination;
        }
        String start = prefix.isEmpty() ? "" : prefix + ".";
        String end = suffix.isEmpty() ? "" : "." + suffix;
        String upper = destination.toUpperCase(Locale.ROOT);
        boolean isNamed = destination.length() > start.length() + end.length()
                && destination.startsWith(start)
                && destination.endsWith(end);
        String name = isNamed ? destination : start + upper + end;
        if (!LEGAL.matcher(name).matches()) {
            throw new WaybillException("'" + destination + "' would be the queue '" + name
                    + "', which no queue manager takes: a name has at most 48 of letters, digits, '.', '_', '/' and '%'."
                    + " Choose a shorter or simpler destination.");
        }
        return name;
    }
}
