package io.waybill.webhook;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/** A block of addresses, as {@code 10.0.0.0/8} writes it. */
record AddressBlock(InetAddress first, int bits) {

    /**
     * What is not the public internet, by the registries of special addresses (RFC 6890 and its successors). IPv6 addresses
     * that carry an IPv4 address inside are here as a whole, but for NAT64: in networks without IPv4 every endpoint looks so.
     */
    private static final List<AddressBlock> PRIVATE = Stream.of(
                    "0.0.0.0/8", // this network
                    "10.0.0.0/8",
                    "100.64.0.0/10", // behind a provider's NAT; also where a cloud keeps its metadata
                    "127.0.0.0/8",
                    "168.63.129.16/32", // a cloud's own service, at a public address
                    "169.254.0.0/16", // link-local: metadata
                    "172.16.0.0/12",
                    "192.0.0.0/24",
                    "192.0.2.0/24",
                    "192.88.99.0/24",
                    "192.168.0.0/16",
                    "198.18.0.0/15",
                    "198.51.100.0/24",
                    "203.0.113.0/24",
                    "224.0.0.0/4", // multicast
                    "240.0.0.0/4", // reserved, and broadcast
                    "::/3", // unspecified, loopback, and IPv4 inside: mapped, compatible
                    "2001::/23", // Teredo and other protocols
                    "2001:db8::/32",
                    "2002::/16", // 6to4
                    "4000::/2",
                    "8000::/1") // unique local, link-local, site-local, multicast
            .map(AddressBlock::of)
            .toList();

    private static final AddressBlock NAT64 = of("64:ff9b::/96");

    static boolean isPrivate(InetAddress address) {
        InetAddress meant = NAT64.contains(address) ? lastFourBytes(address) : address;
        return PRIVATE.stream().anyMatch(block -> block.contains(meant));
    }

    private static InetAddress lastFourBytes(InetAddress address) {
        byte[] bytes = address.getAddress();
        try {
            return InetAddress.getByAddress(Arrays.copyOfRange(bytes, bytes.length - 4, bytes.length));
        } catch (UnknownHostException e) {
            throw new IllegalStateException("Four bytes are always an address.", e);
        }
    }

    private static AddressBlock of(String text) {
        int slash = text.indexOf('/');
        try {
            return new AddressBlock(
                    InetAddress.getByName(text.substring(0, slash)), Integer.parseInt(text.substring(slash + 1)));
        } catch (UnknownHostException e) {
            throw new IllegalArgumentException(text, e);
        }
    }

    private boolean contains(InetAddress address) {
        byte[] mine = first.getAddress();
        byte[] theirs = address.getAddress();
        if (mine.length != theirs.length) {
            return false;
        }
        for (int bit = 0; bit < bits; bit++) {
            int mask = 0x80 >> bit % 8;
            if ((mine[bit / 8] & mask) != (theirs[bit / 8] & mask)) {
                return false;
            }
        }
        return true;
    }
}
