package io.waybill.store;

import java.util.Locale;
import java.util.Optional;
import java.util.UUID;

/** The ids that begin with the same digits, the first and the last included. */
public record IdRange(UUID first, UUID last) {

    private static final int DIGITS = 32;

    /** Those that begin like this text, with or without hyphens; none when it is not the beginning of an id. */
    public static Optional<IdRange> ofPrefix(String text) {
        String digits = text.toLowerCase(Locale.ROOT).replace("-", "");
        if (!digits.matches("[0-9a-f]{1," + DIGITS + "}")) {
            return Optional.empty();
        }
        return Optional.of(new IdRange(filled(digits, "0"), filled(digits, "f")));
    }

    private static UUID filled(String digits, String with) {
        String all = digits + with.repeat(DIGITS - digits.length());
        return new UUID(
                Long.parseUnsignedLong(all.substring(0, 16), 16), Long.parseUnsignedLong(all.substring(16), 16));
    }

    public boolean contains(UUID id) {
        return compare(first, id) <= 0 && compare(id, last) <= 0;
    }

    /** As databases do; {@link UUID#compareTo} takes the halves as signed numbers. */
    private static int compare(UUID one, UUID other) {
        int high = Long.compareUnsigned(one.getMostSignificantBits(), other.getMostSignificantBits());
        return high != 0 ? high : Long.compareUnsigned(one.getLeastSignificantBits(), other.getLeastSignificantBits());
    }
}
