package io.waybill.message;

/**
 * Writes objects as payloads, and reads them back. Text that comes out of it is JSON, unless the message says otherwise
 * ({@link Message#as}).
 *
 * <p>A codec is given, or found by {@link java.util.ServiceLoader}; {@code waybill-jackson} is one.
 *
 * <p><i>Threads:</i> safe.
 */
public interface PayloadCodec {

    /** The object as a payload; an object that cannot be written is refused with the reason. */
    Payload encode(Object value);

    /** The payload as an object of this class; a payload that does not fit is refused with the field and its value. */
    <T> T decode(Payload payload, Class<T> type);

    /** The codec on the class path. It is looked for when it is first needed, and only then its absence is an error. */
    static PayloadCodec found() {
        return FoundCodec.INSTANCE;
    }
}
