package io.waybill.jackson;

import io.waybill.message.Payload;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JacksonException.Reference;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** What is wrong and where, in terms of the JSON: the field, its value, the reason. */
final class Problem {

    private static final int MAX_VALUE = 100;

    private Problem() {}

    static String of(JacksonException e) {
        String field = field(e.getPath());
        return (field.isEmpty() ? "" : "field '" + field + "': ") + e.getOriginalMessage();
    }

    /** The same with the value of the field, as far as the payload is JSON at all. */
    static String in(Payload payload, JsonMapper mapper, JacksonException e) {
        String field = field(e.getPath());
        if (field.isEmpty()) {
            return of(e);
        }
        JsonNode value = find(tree(payload, mapper), e.getPath());
        return "field '" + field + "' is " + (value.isMissingNode() ? "missing" : shortened(value.toString())) + ": "
                + e.getOriginalMessage();
    }

    private static JsonNode tree(Payload payload, JsonMapper mapper) {
        try {
            return mapper.readTree(payload.asText());
        } catch (JacksonException e) {
            return mapper.missingNode();
        }
    }

    private static JsonNode find(JsonNode root, List<Reference> path) {
        JsonNode node = root;
        for (Reference step : path) {
            @Nullable String name = step.getPropertyName();
            node = name == null ? node.path(step.getIndex()) : node.path(name);
        }
        return node;
    }

    /** As it would be written in JavaScript: {@code lines[0].price}. */
    private static String field(List<Reference> path) {
        var field = new StringBuilder();
        for (Reference step : path) {
            @Nullable String name = step.getPropertyName();
            if (name == null) {
                field.append('[').append(step.getIndex()).append(']');
            } else {
                field.append(field.isEmpty() ? "" : ".").append(name);
            }
        }
        return field.toString();
    }

    private static String shortened(String value) {
        return value.length() <= MAX_VALUE ? value : value.substring(0, MAX_VALUE) + "...";
    }
}
