package io.waybill.console.security;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.waybill.WaybillException;
import io.waybill.message.Payload;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.json.JsonMapper;

/**
 * Hides values of payloads and headers by the names of their fields, at any depth of JSON. Other text is shown as it is, unless everything
 * is hidden. Text that begins like JSON and cannot be read as JSON is not shown.
 */
public final class PayloadMask {

    /** What stands for a hidden value. */
    public static final String HIDDEN = "***";

    /** What stands for a payload that begins like JSON and is none. */
    public static final String NOT_READABLE =
            "*** (not valid JSON, so its values cannot be masked; an admin can reveal it)";

    /** Names of fields whose values are secrets in most systems. */
    public static final List<String> DEFAULT_RULES = List.of(
            ".*passw(or)?d.*",
            ".*secret.*",
            ".*token.*",
            "authorization|cookie|set-cookie",
            ".*api[-_]?key.*",
            "pin|cvv|cvc|card[-_]?number|pan|iban|ssn");

    /** Hides nothing. */
    public static final PayloadMask NONE = new PayloadMask(List.of(), false);

    /** A byte order mark, white space and what nobody sees are no reason to take JSON for something else. */
    private static final Pattern LIKE_JSON = Pattern.compile("[\\s\\p{Z}\\p{C}]*([\\[{].*)", Pattern.DOTALL);

    /** Of a name that is there twice only one value would be looked at, as of two documents only the first. */
    private static final JsonMapper JSON = JsonMapper.builder()
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
            .enable(DeserializationFeature.USE_BIG_INTEGER_FOR_INTS)
            .build();

    private final List<Pattern> rules;
    private final boolean everything;

    private PayloadMask(List<Pattern> rules, boolean everything) {
        this.rules = rules;
        this.everything = everything;
    }

    /** By regular expressions that match the whole name of a field, in upper or lower case; {@code *} hides every payload. */
    public static PayloadMask of(List<String> rules) {
        try {
            List<Pattern> patterns = rules.stream()
                    .filter(rule -> !rule.equals("*"))
                    .map(rule -> Pattern.compile(rule, Pattern.CASE_INSENSITIVE))
                    .toList();
            return new PayloadMask(patterns, rules.contains("*"));
        } catch (PatternSyntaxException e) {
            throw new WaybillException("A masking rule is not a regular expression: " + e.getDescription() + ".", e);
        }
    }

    public Map<String, String> headers(Map<String, String> headers) {
        var shown = new LinkedHashMap<String, String>();
        headers.entrySet().stream()
                .sorted(Map.Entry.comparingByKey())
                .forEach(header -> shown.put(header.getKey(), isHidden(header.getKey()) ? HIDDEN : header.getValue()));
        return shown;
    }

    /** Text as it may be shown. */
    public String text(String text) {
        if (everything) {
            return text.isEmpty() ? "" : HIDDEN;
        }
        Matcher json = LIKE_JSON.matcher(text);
        if (rules.isEmpty() || !json.matches()) {
            return text;
        }
        try {
            var hidden = new boolean[1];
            Object shown = value(JSON.readValue(json.group(1), Object.class), hidden);
            return hidden[0] ? JSON.writeValueAsString(shown) : text;
        } catch (JacksonException e) {
            return NOT_READABLE;
        }
    }

    /** A payload as it may be shown: text, or the bytes of a binary payload in Base64. */
    public String payload(Payload payload) {
        if (payload.isText()) {
            return text(payload.asText());
        }
        return everything && payload.size() > 0 ? HIDDEN : binary(payload.asBytes());
    }

    /** Bytes that are JSON all the same are masked like text. */
    private String binary(byte[] bytes) {
        try {
            String text = UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
            return Base64.getEncoder().encodeToString(text(text).getBytes(UTF_8));
        } catch (CharacterCodingException e) {
            return Base64.getEncoder().encodeToString(bytes);
        }
    }

    /** The fields of an object as they may be shown. */
    public Map<String, Object> fields(Map<String, Object> fields) {
        return everything ? Map.of() : object(fields, new boolean[1]);
    }

    private Map<String, Object> object(Map<?, ?> object, boolean[] hidden) {
        var shown = new LinkedHashMap<String, Object>();
        object.forEach((name, member) -> {
            boolean hide = isHidden(String.valueOf(name));
            hidden[0] |= hide;
            shown.put(String.valueOf(name), hide ? HIDDEN : value(member, hidden));
        });
        return shown;
    }

    @SuppressWarnings("NullAway") // A member of JSON may be null, which a map keeps.
    private Object value(@Nullable Object value, boolean[] hidden) {
        if (value instanceof Map<?, ?> object) {
            return object(object, hidden);
        }
        if (value instanceof List<?> list) {
            var shown = new ArrayList<Object>();
            list.forEach(element -> shown.add(value(element, hidden)));
            return shown;
        }
        return value;
    }

    private boolean isHidden(String name) {
        return rules.stream().anyMatch(rule -> rule.matcher(name).matches());
    }
}
