package io.waybill.jdbc.internal.failed;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.waybill.jdbc.internal.failed.PhpSerialized.PhpObject;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * An envelope as Symfony's default serializer writes it: PHP's own serialization of the message and its stamps, in one text. It is read
 * and never written: what is in it is known to its classes alone.
 *
 * @param type the class of the message
 * @param origin the transport it came from; empty when it has not failed
 * @param errorClass of the last error; empty when there is none
 * @param error what the last error says
 * @param attempts how often it was tried
 */
record PhpEnvelope(String type, String origin, String errorClass, String error, int attempts) {

    private static final String ENVELOPE = "Symfony\\Component\\Messenger\\Envelope";
    private static final String BEGIN = "O:" + ENVELOPE.length() + ":";
    private static final String STAMPS = "Symfony\\Component\\Messenger\\Stamp\\";

    /** The envelope in this body; nothing when it is none. */
    static Optional<PhpEnvelope> in(String body) {
        try {
            return of(PhpSerialized.read(plain(body)));
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    /** Whether the body is one, which is found out by its first characters. */
    static boolean isOne(String body) {
        try {
            return plain(body).startsWith(BEGIN);
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    /** Without the backslashes that protect it, one character for each byte. */
    private static String plain(String body) {
        String text;
        if (body.startsWith("O:")) {
            text = new String(body.getBytes(UTF_8), ISO_8859_1);
        } else if (body.startsWith("Tzo")) {
            text = new String(Base64.getDecoder().decode(body), ISO_8859_1);
        } else {
            return "";
        }
        var plain = new StringBuilder(text.length());
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '\\' && i + 1 < text.length()) {
                i++;
                plain.append(text.charAt(i) == '0' ? '\0' : text.charAt(i));
            } else {
                plain.append(c);
            }
        }
        return plain.toString();
    }

    private static Optional<PhpEnvelope> of(@Nullable Object value) {
        if (!(value instanceof PhpObject envelope) || !envelope.type().equals(ENVELOPE)) {
            return Optional.empty();
        }
        List<PhpObject> errors = stamps(envelope, "ErrorDetailsStamp");
        PhpObject error = errors.isEmpty() ? null : errors.get(errors.size() - 1);
        List<PhpObject> sent = stamps(envelope, "SentToFailureTransportStamp");
        int retries = stamps(envelope, "RedeliveryStamp").stream()
                .mapToInt(stamp -> stamp.get("retryCount") instanceof Long count ? count.intValue() : 0)
                .max()
                .orElse(0);
        return Optional.of(new PhpEnvelope(
                envelope.get("message") instanceof PhpObject message ? message.type() : "",
                sent.isEmpty() ? "" : text(sent.get(sent.size() - 1), "originalReceiverName"),
                error == null ? "" : text(error, "exceptionClass"),
                error == null ? "" : text(error, "exceptionMessage"),
                retries + 1));
    }

    private static List<PhpObject> stamps(PhpObject envelope, String name) {
        return envelope.get("stamps") instanceof Map<?, ?> stamps && stamps.get(STAMPS + name) instanceof Map<?, ?> some
                ? some.values().stream()
                        .filter(PhpObject.class::isInstance)
                        .map(PhpObject.class::cast)
                        .toList()
                : List.of();
    }

    private static String text(PhpObject object, String member) {
        return object.get(member) instanceof String text ? new String(text.getBytes(ISO_8859_1), UTF_8) : "";
    }
}
