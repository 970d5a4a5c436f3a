package io.waybill.message;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The body of a message: text, or bytes that are not text. Equal by content. */
public final class Payload {

    private final @Nullable String text;
    private final byte @Nullable [] bytes;

    private Payload(@Nullable String text, byte @Nullable [] bytes) {
        this.text = text;
        this.bytes = bytes;
    }

    public static Payload text(String text) {
        return new Payload(Objects.requireNonNull(text), null);
    }

    /** Text that is JSON; what is not is refused. */
    public static Payload json(String text) {
        return ContentTypes.checked(ContentTypes.JSON, text(text));
    }

    /** The array is kept, not copied: it belongs to the payload from here on. */
    public static Payload binary(byte[] bytes) {
        return new Payload(null, Objects.requireNonNull(bytes));
    }

    /**
     * The body of a message that came from elsewhere: text where its content type says so, or where nothing is said and the
     * bytes are UTF-8. A body that is not what its content type says is refused.
     */
    public static Payload received(String contentType, byte[] bytes) {
        if (!contentType.isEmpty()) {
            return ContentTypes.checked(contentType, binary(bytes));
        }
        try {
            return text(UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString());
        } catch (CharacterCodingException e) {
            return binary(bytes);
        }
    }

    public boolean isText() {
        return text != null;
    }

    /** The body as text; bytes are read as UTF-8. */
    public String asText() {
        return text != null ? text : new String(Objects.requireNonNull(bytes), UTF_8);
    }

    /** The body as bytes; text is written as UTF-8. */
    public byte[] asBytes() {
        return bytes != null ? bytes : Objects.requireNonNull(text).getBytes(UTF_8);
    }

    /** Roughly how many bytes it takes, cheap enough to ask for every message of a batch. */
    public int size() {
        return text != null ? text.length() : Objects.requireNonNull(bytes).length;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Payload that && Objects.equals(text, that.text) && Arrays.equals(bytes, that.bytes);
    }

    @Override
    public int hashCode() {
        return 31 * Objects.hashCode(text) + Arrays.hashCode(bytes);
    }

    @Override
    public String toString() {
        return text != null ? "text of " + text.length() + " characters" : "binary of " + size() + " bytes";
    }
}
