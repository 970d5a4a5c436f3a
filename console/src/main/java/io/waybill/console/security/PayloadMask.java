package io.waybill.console.security;

import io.waybill.WaybillException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.json.JsonMapper;

/**
 * Hides values of payloads and headers by the names of their fields, at any depth of JSON. Text that is not JSON is shown as it is, unless
 * everything is hidden.
 */
public final class PayloadMask {

    /** What stands for a hidden value. */
    public static final String HIDDEN = "***";

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

    private static final JsonMapper JSON = JsonMapper.builder()
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
        if (rules.isEmpty() || !text.stripLeading().matches("(?s)[\\[{].*")) {
            return text;
        }
        try {
            var hidden = new boolean[1];
            Object shown = value(JSON.readValue(text, Object.class), hidden);
            return hidden[0] ? JSON.writeValueAsString(shown) : text;
        } catch (JacksonException e) {
            return text;
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
