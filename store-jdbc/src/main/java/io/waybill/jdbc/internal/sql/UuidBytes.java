package io.waybill.jdbc.internal.sql;

import java.nio.ByteBuffer;
import java.util.UUID;

/** A UUID as its 16 bytes, in the order in which it is written. */
public final class UuidBytes {

    private UuidBytes() {}

    public static byte[] of(UUID id) {
        return ByteBuffer.allocate(2 * Long.BYTES)
                .putLong(id.getMostSignificantBits())
                .putLong(id.getLeastSignificantBits())
                .array();
    }

    public static UUID read(byte[] bytes) {
        var buffer = ByteBuffer.wrap(bytes);
        return new UUID(buffer.getLong(), buffer.getLong());
    }
}
