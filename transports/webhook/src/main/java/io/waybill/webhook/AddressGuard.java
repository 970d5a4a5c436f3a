package io.waybill.webhook;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Proxy;
import java.net.ProxySelector;
import java.net.SocketAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.util.List;
import java.util.function.Predicate;

/**
 * Keeps requests away from private addresses, whatever name they hide behind.
 *
 * <p>The HTTP client asks a proxy selector about every request, so this is one. For {@code http} its answer is the very address
 * that was checked, written as a proxy: the client connects there and resolves nothing again, and the server sees an absolute
 * request target, which every server must accept (RFC 9112, 3.2.2). For {@code https} a proxy would mean a tunnel, so there the
 * client resolves the name a second time, mostly from the JVM's cache; a name that changes its address in between gets a TLS
 * handshake and no request, because the certificate has to match the name.
 */
final class AddressGuard extends ProxySelector {

    /** How names become addresses: {@link InetAddress#getAllByName}, unless a test says otherwise. */
    @FunctionalInterface
    interface Names {
        InetAddress[] resolve(String host) throws UnknownHostException;
    }

    private final Names names;
    private final Predicate<InetAddress> forbidden;

    AddressGuard() {
        this(InetAddress::getAllByName, AddressBlock::isPrivate);
    }

    AddressGuard(Names names, Predicate<InetAddress> forbidden) {
        this.names = names;
        this.forbidden = forbidden;
    }

    @Override
    public List<Proxy> select(URI uri) {
        InetAddress address = checked(uri.getHost());
        if (uri.getScheme().equals("https")) {
            return List.of(Proxy.NO_PROXY);
        }
        int port = uri.getPort() < 0 ? 80 : uri.getPort();
        return List.of(new Proxy(Proxy.Type.HTTP, new InetSocketAddress(address, port)));
    }

    /** The address to connect to. One private address among several is enough to refuse them all. */
    private InetAddress checked(String host) {
        try {
            InetAddress[] addresses = names.resolve(host);
            for (InetAddress address : addresses) {
                if (forbidden.test(address)) {
                    throw new ForbiddenAddress(host, address);
                }
            }
            return addresses[0];
        } catch (UnknownHostException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void connectFailed(URI uri, SocketAddress address, IOException failure) {
        // The request fails with it.
    }

    /** The endpoint is at an address that is not asked. */
    static final class ForbiddenAddress extends RuntimeException {

        ForbiddenAddress(String host, InetAddress address) {
            super(host + " is " + address.getHostAddress()
                    + ", which is not an address of the public internet. Say allow-private=true if it is meant.");
        }
    }
}
