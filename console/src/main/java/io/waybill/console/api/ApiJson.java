package io.waybill.console.api;

import com.fasterxml.jackson.annotation.Nulls;
import io.waybill.console.request.ConsoleResponse;
import io.waybill.jackson.JacksonCodec;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.json.JsonMapper;

/** JSON of requests and responses. A field that is not known is refused: in a filter it would select more than was meant. */
public final class ApiJson {

    private static final JsonMapper MAPPER = JacksonCodec.defaults()
            .enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .changeDefaultNullHandling(nulls -> nulls.withContentNulls(Nulls.FAIL))
            .build();

    private ApiJson() {}

    /** An error as every response has it. */
    public record Problem(int status, String error, List<String> details) {}

    static <T> T read(String body, Class<T> type) {
        try {
            @Nullable T read = MAPPER.readValue(body.isBlank() ? "{}" : body, type);
            if (read == null) {
                throw ApiError.invalid("The body is null. Send an object, such as {}.");
            }
            return read;
        } catch (JacksonException e) {
            throw ApiError.invalid("The body is not what is expected here: " + e.getOriginalMessage());
        }
    }

    public static String text(Object value) {
        return MAPPER.writeValueAsString(value);
    }

    public static ConsoleResponse response(int status, Object value) {
        return ConsoleResponse.json(status, text(value)).header("Cache-Control", "no-store");
    }

    public static ConsoleResponse problem(int status, String error) {
        return response(status, new Problem(status, error, List.of()));
    }
}
