package io.waybill.console.security;

import io.waybill.console.request.ConsoleRequest;
import java.net.URI;
import java.util.Locale;
import java.util.Set;

/** Refuses what a browser sends because another site told it to. */
public final class OriginCheck {

    private static final Set<String> LOOPBACK = Set.of("localhost", "127.0.0.1", "[::1]");

    private OriginCheck() {}

    /** Whether a request that changes something comes from a page of the console, or from no browser at all. */
    public static boolean isSameOrigin(ConsoleRequest request) {
        String site = request.header("sec-fetch-site");
        if (!site.isEmpty() && !site.equals("same-origin") && !site.equals("none")) {
            return false;
        }
        String origin = request.header("origin");
        return origin.isEmpty()
                || authority(origin).equals(request.header("host").toLowerCase(Locale.ROOT));
    }

    /**
     * Whether the request names this machine as its host. Where nobody has to log in, a site whose name was made to lead here must not be
     * able to read anything.
     */
    public static boolean isForLoopback(ConsoleRequest request) {
        String host = request.header("host").toLowerCase(Locale.ROOT).replaceFirst(":\\d+$", "");
        return LOOPBACK.contains(host);
    }

    private static String authority(String origin) {
        try {
            String authority = URI.create(origin).getRawAuthority();
            return authority == null ? "" : authority.toLowerCase(Locale.ROOT);
        } catch (IllegalArgumentException e) {
            return "";
        }
    }
}
