package io.waybill.console.security;

import io.waybill.WaybillException;
import io.waybill.console.request.ConsoleRequest;
import io.waybill.console.request.Identity;
import io.waybill.console.request.Role;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The proxies in front of the console, and their headers: whom a request comes from, whether it came over TLS, for which host, and who was
 * logged in. The headers of all others are ignored.
 *
 * @param addresses of the proxies
 * @param addressHeader what the address of the client is added to, at its end
 * @param protocolHeader {@code https} where the client uses TLS
 * @param userHeader who is logged in at the proxy; empty where it authenticates nobody
 * @param roleHeader roles or groups of the user, with commas between them; empty where every user is a viewer
 * @param roles what they mean
 */
public record TrustedProxies(
        List<AddressRange> addresses,
        String addressHeader,
        String protocolHeader,
        String userHeader,
        String roleHeader,
        RoleMapping roles) {

    public static final String ADDRESS_HEADER = "X-Forwarded-For";
    public static final String PROTOCOL_HEADER = "X-Forwarded-Proto";
    private static final String HOST_HEADER = "x-forwarded-host";
    private static final int MAX_USER_LENGTH = 200;

    public static final TrustedProxies NONE =
            new TrustedProxies(List.of(), ADDRESS_HEADER, PROTOCOL_HEADER, "", "", RoleMapping.NAMES);

    public TrustedProxies {
        addresses = List.copyOf(addresses);
        for (String header : List.of(addressHeader, protocolHeader)) {
            checkName(header);
        }
        Stream.of(userHeader, roleHeader).filter(header -> !header.isEmpty()).forEach(TrustedProxies::checkName);
        if (addresses.isEmpty() && !userHeader.isEmpty()) {
            throw new WaybillException("The header " + userHeader
                    + " would be ignored, because no proxy is trusted. Give the addresses of your proxies.");
        }
        if (userHeader.isEmpty() && !roleHeader.isEmpty()) {
            throw new WaybillException("The header " + roleHeader
                    + " gives roles, but no header names the user they belong to. Give the header of the user too.");
        }
    }

    private static void checkName(String header) {
        if (!header.matches("[A-Za-z0-9_-]{1,64}")) {
            throw new WaybillException(
                    "'" + header + "' is not the name of a header: use 1 to 64 letters, digits, '-' or '_'.");
        }
    }

    /** With the usual headers, authenticating nobody. */
    public static TrustedProxies of(List<String> addresses) {
        return new TrustedProxies(
                addresses.stream().map(AddressRange::of).toList(),
                ADDRESS_HEADER,
                PROTOCOL_HEADER,
                "",
                "",
                RoleMapping.NAMES);
    }

    public TrustedProxies headers(String address, String protocol) {
        return new TrustedProxies(addresses, address, protocol, userHeader, roleHeader, roles);
    }

    /** Proxies that authenticate users. */
    public TrustedProxies users(String user, String role, RoleMapping mapping) {
        return new TrustedProxies(addresses, addressHeader, protocolHeader, user, role, mapping);
    }

    public boolean isEmpty() {
        return addresses.isEmpty();
    }

    /** Whether they say who is logged in. */
    public boolean authenticate() {
        return !userHeader.isEmpty();
    }

    /** The request as the client of the proxy sent it; the same request when no proxy that is trusted did. */
    public ConsoleRequest resolve(ConsoleRequest received) {
        if (!trusts(received.client())) {
            return received;
        }
        ConsoleRequest request = received.from(client(received), isSecure(received));
        String host = received.header(HOST_HEADER);
        ConsoleRequest named = host.isEmpty() ? request : request.header("host", first(host));
        return named.identity().isPresent()
                ? named
                : user(received).map(named::by).orElse(named);
    }

    private boolean trusts(String address) {
        return addresses.stream().anyMatch(range -> range.contains(address));
    }

    /** Each proxy has added whom it was asked by: going back, the first that is not trusted is the last that is certain. */
    private String client(ConsoleRequest received) {
        String[] hops = value(received, addressHeader).split(",", -1);
        String client = received.client();
        for (int i = hops.length - 1; i >= 0 && trusts(client); i--) {
            String hop = withoutPort(hops[i].strip());
            if (AddressRange.bytes(hop).isEmpty()) {
                return client;
            }
            client = hop;
        }
        return client;
    }

    private static String withoutPort(String hop) {
        if (hop.startsWith("[")) {
            return hop.replaceFirst("^\\[([^\\]]*)\\](:\\d+)?$", "$1");
        }
        return hop.indexOf(':') == hop.lastIndexOf(':') ? hop.replaceFirst(":\\d+$", "") : hop;
    }

    private boolean isSecure(ConsoleRequest received) {
        String protocol = value(received, protocolHeader);
        return protocol.isEmpty() ? received.secure() : first(protocol).equalsIgnoreCase("https");
    }

    private Optional<Identity> user(ConsoleRequest received) {
        String name = userHeader.isEmpty() ? "" : value(received, userHeader).strip();
        if (name.isEmpty()) {
            return Optional.empty();
        }
        // Two values are joined by a comma: one of them is the client's own.
        if (name.contains(",") || name.length() > MAX_USER_LENGTH) {
            return Optional.of(new Identity("a user with an unclear name", Role.ANYONE));
        }
        if (roleHeader.isEmpty()) {
            return Optional.of(new Identity(name, Role.VIEWER));
        }
        Set<String> given = Arrays.stream(value(received, roleHeader).split(",", -1))
                .map(String::strip)
                .collect(Collectors.toSet());
        return Optional.of(roles.identity(name, given::contains));
    }

    private static String value(ConsoleRequest received, String header) {
        return received.header(header.toLowerCase(Locale.ROOT));
    }

    private static String first(String values) {
        return values.split(",", 2)[0].strip();
    }
}
