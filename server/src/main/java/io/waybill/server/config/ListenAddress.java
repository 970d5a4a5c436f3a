package io.waybill.server.config;

import io.waybill.WaybillException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Where something listens, as it is written: a port of this machine only, or {@code host:port}. */
public final class ListenAddress {

    private static final Pattern ADDRESS = Pattern.compile("(?:(.+):)?(\\d{1,5})");
    private static final int LARGEST_PORT = 65_535;

    private ListenAddress() {}

    public static InetSocketAddress parse(String text) {
        Matcher address = ADDRESS.matcher(text);
        if (!address.matches() || Integer.parseInt(address.group(2)) > LARGEST_PORT) {
            throw new WaybillException(
                    "'" + text + "' is not a port or host:port. Write 8080, or 0.0.0.0:8080 for other machines too.");
        }
        int port = Integer.parseInt(address.group(2));
        return address.group(1) == null
                ? new InetSocketAddress(InetAddress.getLoopbackAddress(), port)
                : new InetSocketAddress(address.group(1), port);
    }
}
