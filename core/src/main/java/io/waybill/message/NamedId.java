package io.waybill.message;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.waybill.message.text.Json;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Optional;
import java.util.UUID;
import java.util.regex.Pattern;

/** Ids of what is called something else elsewhere: the same for the same names, another one for others. */
public final class NamedId {

    private static final Pattern UUID_TEXT =
            Pattern.compile("[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}");

    private NamedId() {}

    /** The UUID that this text is; {@link UUID#fromString} takes {@code 1-1-1-1-1} and {@code 100000001-1-1-1-1} for the same one. */
    public static Optional<UUID> read(String text) {
        return UUID_TEXT.matcher(text).matches() ? Optional.of(UUID.fromString(text)) : Optional.empty();
    }

    /** A UUID (version 8) made of a hash of all the names, each of them for itself. */
    public static UUID of(String... names) {
        ByteBuffer hash = ByteBuffer.wrap(hash(names));
        long high = (hash.getLong() & 0xFFFF_FFFF_FFFF_0FFFL) | 0x8000L;
        long low = (hash.getLong() & 0x3FFF_FFFF_FFFF_FFFFL) | 0x8000_0000_0000_0000L;
        return new UUID(high, low);
    }

    /** The hash of a text in 64 digits. */
    static String digits(String text) {
        return HexFormat.of().formatHex(hash(text));
    }

    /** Of the names as JSON, in which halves of characters stay different and no two lists are the same. */
    private static byte[] hash(String... names) {
        var json = new StringBuilder();
        for (String name : names) {
            Json.quote(json, name);
        }
        return hash(json.toString().getBytes(UTF_8));
    }

    /** A hash of bytes as text, to be one of the names. */
    public static String nameOf(byte[] bytes) {
        return HexFormat.of().formatHex(hash(bytes));
    }

    private static byte[] hash(byte[] bytes) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(bytes);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }
}
