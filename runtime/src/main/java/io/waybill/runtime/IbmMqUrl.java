package io.waybill.runtime;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.net.URLEncoder;
import java.util.regex.Pattern;

/** The URL of a queue manager of IBM MQ, by the parts that settings name. */
public final class IbmMqUrl {

    private static final Pattern HOST = Pattern.compile("[A-Za-z0-9._-]+|\\[[0-9A-Fa-f:.]+]");

    private IbmMqUrl() {}

    /** Whether this is the name or the address of a host. */
    public static boolean isHost(String text) {
        return HOST.matcher(text).matches();
    }

    /**
     * The URL.
     *
     * @param user empty for none
     * @param password empty for none
     */
    public static String of(String host, int port, String manager, String channel, String user, String password) {
        String login = user.isEmpty() ? "" : encoded(user) + (password.isEmpty() ? "" : ":" + encoded(password)) + "@";
        return "jms+ibmmq://" + login + host + ":" + port + "/" + encoded(manager) + "?channel=" + encoded(channel);
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, UTF_8).replace("+", "%20");
    }
}
