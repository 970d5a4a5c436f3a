package io.waybill.console.openapi;

import java.lang.reflect.AnnotatedType;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** JSON schemas of records, as Jackson writes and reads them. */
final class JsonSchemas {

    private static final Map<Class<?>, Map<String, Object>> SIMPLE = Map.of(
            String.class, Map.of("type", "string"),
            Instant.class, Map.of("type", "string", "format", "date-time"),
            int.class, Map.of("type", "integer", "format", "int32"),
            long.class, Map.of("type", "integer", "format", "int64"),
            Long.class, Map.of("type", "integer", "format", "int64"),
            double.class, Map.of("type", "number", "format", "double"),
            Double.class, Map.of("type", "number", "format", "double"),
            boolean.class, Map.of("type", "boolean"),
            Boolean.class, Map.of("type", "boolean"));

    private final Map<String, Object> records = new TreeMap<>();

    /** The schemas of all records that were asked for, and of what is in them. */
    Map<String, Object> all() {
        return records;
    }

    Map<String, Object> of(Type type) {
        if (type instanceof ParameterizedType generic) {
            Type last = generic.getActualTypeArguments()[generic.getActualTypeArguments().length - 1];
            return generic.getRawType() == List.class
                    ? Map.of("type", "array", "items", of(last))
                    : Map.of("type", "object", "additionalProperties", of(last));
        }
        Map<String, Object> simple = SIMPLE.get(type);
        if (simple != null) {
            return simple;
        }
        return type instanceof Class<?> known && known.isRecord() ? reference(known) : Map.of();
    }

    private Map<String, Object> reference(Class<?> type) {
        String name = type.getSimpleName();
        if (!records.containsKey(name)) {
            records.put(name, Map.of());
            records.put(name, object(type));
        }
        return Map.of("$ref", "#/components/schemas/" + name);
    }

    private Map<String, Object> object(Class<?> type) {
        var properties = new LinkedHashMap<String, Object>();
        List<String> required = new ArrayList<>();
        for (RecordComponent component : type.getRecordComponents()) {
            properties.put(component.getName(), property(component));
            if (!isNullable(component.getAnnotatedType())) {
                required.add(component.getName());
            }
        }
        var object = new LinkedHashMap<String, Object>();
        object.put("type", "object");
        object.put("properties", properties);
        object.put("required", required);
        object.put("additionalProperties", false);
        return object;
    }

    private Map<String, Object> property(RecordComponent component) {
        Map<String, Object> schema = of(component.getGenericType());
        return isNullable(component.getAnnotatedType())
                ? Map.of("anyOf", List.of(schema, Map.of("type", "null")))
                : schema;
    }

    private static boolean isNullable(AnnotatedType type) {
        return type.isAnnotationPresent(Nullable.class);
    }
}
