package io.waybill.console.security;

import io.waybill.WaybillException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Optional;
import java.util.regex.Pattern;

/** Addresses that begin with the same bits: {@code 10.0.0.0/8}, {@code fd00::/8}, or one address. Names are not looked up. */
public final class AddressRange {

    private static final Pattern IPV4 = Pattern.compile("[0-9]{1,3}(\\.[0-9]{1,3}){3}");
    private static final Pattern IPV6 = Pattern.compile("[0-9a-fA-F:.]*:[0-9a-fA-F:.]*");

    private final byte[] network;
    private final int bits;

    private AddressRange(byte[] network, int bits) {
        this.network = network;
        this.bits = bits;
    }

    public static AddressRange of(String text) {
        int slash = text.indexOf('/');
        Optional<byte[]> address = bytes(slash < 0 ? text : text.substring(0, slash));
        if (address.isEmpty()) {
            throw new WaybillException(
                    "'" + text + "' is not an address such as 10.1.2.3, nor a range such as 10.0.0.0/8 or fd00::/8.");
        }
        byte[] network = address.get();
        String length = slash < 0 ? String.valueOf(network.length * 8) : text.substring(slash + 1);
        if (!length.matches("[0-9]{1,3}") || Integer.parseInt(length) > network.length * 8) {
            throw new WaybillException(
                    "'" + text + "' is not a range of addresses: behind the slash stands a number from 1 to "
                            + network.length * 8 + ".");
        }
        if (Integer.parseInt(length) == 0) {
            throw new WaybillException(
                    "'" + text
                            + "' contains every address, so anybody could send the headers of a proxy. Give the addresses of your proxies.");
        }
        return new AddressRange(network, Integer.parseInt(length));
    }

    /** Whether this is an address of the range; false for a text that is not an address. */
    public boolean contains(String address) {
        return bytes(address).filter(this::matches).isPresent();
    }

    private boolean matches(byte[] address) {
        if (address.length != network.length) {
            return false;
        }
        for (int bit = 0; bit < bits; bit++) {
            int mask = 0x80 >> (bit % 8);
            if ((address[bit / 8] & mask) != (network[bit / 8] & mask)) {
                return false;
            }
        }
        return true;
    }

    /** Without a zone; an IPv4 address in the clothes of IPv6 is one of IPv4. */
    static Optional<byte[]> bytes(String address) {
        String text = address.replaceFirst("%.*$", "");
        if (!IPV4.matcher(text).matches() && !IPV6.matcher(text).matches()) {
            return Optional.empty();
        }
        try {
            return Optional.of(InetAddress.getAllByName(text)[0].getAddress());
        } catch (UnknownHostException e) {
            return Optional.empty();
        }
    }

    static boolean isLoopback(String address) {
        Optional<byte[]> bytes = bytes(address);
        try {
            return bytes.isPresent() && InetAddress.getByAddress(bytes.get()).isLoopbackAddress();
        } catch (UnknownHostException e) {
            return false;
        }
    }
}
