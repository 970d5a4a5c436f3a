package io.waybill.server.config;

import io.waybill.console.security.TrustedProxies;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * How the console is served.
 *
 * @param address on this machine only, unless there are users
 * @param users a file of {@code name:role:hash}
 * @param masks more rules for what is hidden
 * @param proxies those in front of it
 */
public record ConsoleSettings(
        InetSocketAddress address, Optional<Path> users, boolean readOnly, List<String> masks, TrustedProxies proxies) {

    private static final int DEFAULT_PORT = 8686;

    /** On this machine only, for everybody on it. */
    public static final ConsoleSettings DEFAULT = new ConsoleSettings(
            new InetSocketAddress(InetAddress.getLoopbackAddress(), DEFAULT_PORT),
            Optional.empty(),
            false,
            List.of(),
            TrustedProxies.NONE);

    public ConsoleSettings at(InetSocketAddress address) {
        return new ConsoleSettings(address, users, readOnly, masks, proxies);
    }

    public ConsoleSettings users(Path file) {
        return new ConsoleSettings(address, Optional.of(file), readOnly, masks, proxies);
    }

    public ConsoleSettings behind(TrustedProxies proxies) {
        return new ConsoleSettings(address, users, readOnly, masks, proxies);
    }
}
