package io.waybill.message;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.waybill.WaybillException;
import io.waybill.message.text.Json;
import io.waybill.message.text.NameRules;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;

/** Whether a body is what its content type says, checked where it is written: a receiver could only fail. */
final class ContentTypes {

    static final String JSON = "application/json";
    static final String BINARY = "application/octet-stream";

    private static final Pattern MEDIA_TYPE = Pattern.compile("[a-z0-9!#$&^_.+-]+/[a-z0-9!#$&^_.+-]+");

    private ContentTypes() {}

    /** What the headers say, or what a payload is when they say nothing. */
    static String of(Map<String, String> headers, Payload payload) {
        return headers.getOrDefault(Message.CONTENT_TYPE, payload.isText() ? JSON : BINARY);
    }

    static Payload checked(String contentType, Payload payload) {
        String mediaType = mediaType(contentType);
        boolean json = isJson(mediaType);
        if (!json && !mediaType.startsWith("text/")) {
            return payload;
        }
        String text =
                NameRules.withoutNul("payload", payload.isText() ? payload.asText() : decoded(contentType, payload));
        if (json) {
            Json.problemIn(text).ifPresent(problem -> {
                throw new WaybillException("The payload is declared as " + contentType + " but is not JSON: " + problem
                        + " in '" + NameRules.shortened(text)
                        + "'. Fix the JSON, or declare its type: message.as(\"text/plain\").");
            });
        }
        return Payload.text(text);
    }

    private static boolean isJson(String mediaType) {
        return mediaType.equals(JSON) || mediaType.endsWith("+json");
    }

    static boolean saysJson(String contentType) {
        return isJson(mediaType(contentType));
    }

    private static String mediaType(String contentType) {
        if (contentType.equals(JSON)) {
            return JSON;
        }
        int parameters = contentType.indexOf(';');
        String mediaType = (parameters < 0 ? contentType : contentType.substring(0, parameters))
                .strip()
                .toLowerCase(Locale.ROOT);
        if (!MEDIA_TYPE.matcher(mediaType).matches()) {
            throw new WaybillException("'" + NameRules.shortened(contentType)
                    + "' is not a content type. Write it as type/subtype, for example application/json.");
        }
        return mediaType;
    }

    private static String decoded(String contentType, Payload payload) {
        try {
            return UTF_8.newDecoder().decode(ByteBuffer.wrap(payload.asBytes())).toString();
        } catch (CharacterCodingException e) {
            throw new WaybillException(
                    "The payload is declared as " + contentType + " but its " + payload.size()
                            + " bytes are not UTF-8. Declare what they are: message.as(\"" + BINARY + "\").",
                    e);
        }
    }
}
