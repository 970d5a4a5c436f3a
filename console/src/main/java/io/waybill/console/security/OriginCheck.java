package io.waybill.console.security;

import io.waybill.console.request.ConsoleRequest;
import java.net.URI;
import java.util.Locale;
import java.util.Set;

/** Refuses what a browser sends because another site told it to. */
public final class OriginCheck {

    private static final Set<String> LOOPBACK = Set.of("localhost", "127.0.0.1", "[::1]");

    private static final Set<String> PROXY_HEADERS = Set.of("forwarded", "via", "x-real-ip");

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
     * Whether somebody on this machine sent the request, and to this machine. Where nobody has to log in, a site whose name was made to lead
     * here must not be able to read anything, nor anybody behind a proxy that runs here.
     */
    public static boolean isLocal(ConsoleRequest received) {
        String host = received.header("host").toLowerCase(Locale.ROOT).replaceFirst(":\\d+$", "");
        return AddressRange.isLoopback(received.client())
                && LOOPBACK.contains(host)
                && received.headers().keySet().stream().noneMatch(OriginCheck::isOfProxy);
    }

    private static boolean isOfProxy(String header) {
        return header.startsWith("x-forwarded-") || PROXY_HEADERS.contains(header);
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
