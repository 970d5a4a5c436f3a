package io.waybill.process.graph;

import io.waybill.WaybillException;
import java.math.BigDecimal;
import java.util.AbstractMap;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The data of a process: its start data, merged with the replies of its steps. A map with typed access.
 *
 * <p>Values are those of JSON: text, {@link Boolean}, whole numbers, {@link BigDecimal}, {@link List} and {@link Map}.
 *
 * <p>Immutable.
 */
public final class ProcessData extends AbstractMap<String, Object> {

    private final Map<String, Object> values;

    private ProcessData(Map<String, Object> values) {
        this.values = values;
    }

    public static ProcessData of(Map<String, Object> values) {
        return values instanceof ProcessData data ? data : new ProcessData(new LinkedHashMap<>(values));
    }

    /** These values, and where names are equal the added ones. */
    public ProcessData with(Map<String, Object> added) {
        if (added.isEmpty()) {
            return this;
        }
        var all = new LinkedHashMap<>(values);
        all.putAll(added);
        return new ProcessData(all);
    }

    @Override
    public Set<Entry<String, Object>> entrySet() {
        return Collections.unmodifiableMap(values).entrySet();
    }

    @Override
    public @Nullable Object get(@Nullable Object name) {
        return values.get(name);
    }

    @Override
    public boolean containsKey(@Nullable Object name) {
        return values.containsKey(name);
    }

    /** A Boolean, or the text {@code true} or {@code false}; false when there is none. */
    public boolean flag(String name) {
        Object value = values.get(name);
        if (value == null) {
            return false;
        }
        if (value instanceof Boolean flag) {
            return flag;
        }
        if (value instanceof String text && (text.equals("true") || text.equals("false"))) {
            return text.equals("true");
        }
        throw isNot(name, value, "a Boolean");
    }

    public String text(String name) {
        Object value = required(name);
        if (value instanceof Map || value instanceof List) {
            throw isNot(name, value, "a text");
        }
        return String.valueOf(value);
    }

    public BigDecimal decimal(String name) {
        return number(name, required(name));
    }

    public long integer(String name) {
        Object value = required(name);
        try {
            return number(name, value).longValueExact();
        } catch (ArithmeticException e) {
            throw isNot(name, value, "a whole number");
        }
    }

    public UUID uuid(String name) {
        Object value = required(name);
        try {
            return UUID.fromString(String.valueOf(value));
        } catch (IllegalArgumentException e) {
            throw isNot(name, value, "a UUID");
        }
    }

    public List<?> list(String name) {
        Object value = required(name);
        if (value instanceof List<?> list) {
            return list;
        }
        throw isNot(name, value, "a list");
    }

    private static BigDecimal number(String name, Object value) {
        try {
            return new BigDecimal(String.valueOf(value));
        } catch (NumberFormatException e) {
            throw isNot(name, value, "a number");
        }
    }

    private Object required(String name) {
        Object value = values.get(name);
        if (value == null) {
            throw new WaybillException("The process has no '" + name + "'. It knows " + values.keySet()
                    + ": start it with a value of this name, or let an earlier step reply with one.");
        }
        return value;
    }

    private static WaybillException isNot(String name, Object value, String expected) {
        return new WaybillException("'" + name + "' of the process is not " + expected + " but a "
                + value.getClass().getSimpleName() + ": " + shortened(String.valueOf(value)) + ".");
    }

    private static String shortened(String value) {
        return value.length() <= 60 ? value : value.substring(0, 57) + "...";
    }
}
