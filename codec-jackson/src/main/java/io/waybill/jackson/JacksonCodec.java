package io.waybill.jackson;

import io.waybill.WaybillException;
import io.waybill.message.Payload;
import io.waybill.message.PayloadCodec;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.MapperFeature;
import tools.jackson.databind.cfg.DateTimeFeature;
import tools.jackson.databind.cfg.JsonNodeFeature;
import tools.jackson.databind.json.JsonMapper;

/**
 * JSON by Jackson 3: records as they are, times as ISO text, decimals exact, and fields that the reader does not know ignored,
 * so that a sender may add some. Classes of Kotlin need {@code jackson-module-kotlin}, which is used where it is on the class path.
 *
 * <p><i>Threads:</i> safe.
 */
public final class JacksonCodec implements PayloadCodec {

    private final JsonMapper mapper;

    /** With {@link #defaults}. */
    public JacksonCodec() {
        this(defaults().build());
    }

    /** With a mapper of the application's own, as it is. */
    public JacksonCodec(JsonMapper mapper) {
        this.mapper = mapper;
    }

    /** The usual settings, for those who want to change one: {@code new JacksonCodec(JacksonCodec.defaults()....build())}. */
    public static JsonMapper.Builder defaults() {
        return JsonMapper.builder()
                .addModule(KotlinClasses.module())
                .disable(
                        DateTimeFeature.WRITE_DATES_AS_TIMESTAMPS,
                        DateTimeFeature.WRITE_DURATIONS_AS_TIMESTAMPS,
                        DateTimeFeature.ADJUST_DATES_TO_CONTEXT_TIME_ZONE)
                .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
                .enable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
                // 1.9 would quietly become 1.
                .disable(DeserializationFeature.ACCEPT_FLOAT_AS_INT)
                .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
                .disable(JsonNodeFeature.STRIP_TRAILING_BIGDECIMAL_ZEROES)
                .disable(MapperFeature.SORT_PROPERTIES_ALPHABETICALLY);
    }

    @Override
    public Payload encode(Object value) {
        try {
            return Payload.text(mapper.writeValueAsString(value));
        } catch (JacksonException e) {
            throw new WaybillException(
                    "A " + value.getClass().getName() + " cannot be written as JSON: " + Problem.of(e), e);
        }
    }

    @Override
    public <T> T decode(Payload payload, Class<T> type) {
        @Nullable T value;
        try {
            value = payload.isText()
                    ? mapper.readValue(payload.asText(), type)
                    : mapper.readValue(payload.asBytes(), type);
        } catch (JacksonException e) {
            throw new WaybillException(
                    "The payload cannot be read as a " + type.getName() + ": " + Problem.in(payload, mapper, e), e);
        }
        if (value == null) {
            throw new WaybillException("The payload is the JSON null, but a " + type.getName() + " is expected.");
        }
        return value;
    }
}
