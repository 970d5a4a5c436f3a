package io.waybill.console.api;

import io.waybill.console.operation.Operations;
import io.waybill.console.request.ConsoleRequest;
import io.waybill.console.request.Identity;
import io.waybill.console.request.Role;
import io.waybill.console.security.PayloadMask;
import io.waybill.ops.FailedMessages;
import io.waybill.ops.OutboxOperations;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;

/**
 * A request on its way to the method that answers it.
 *
 * @param restOf the interrupted operation that the request does the rest of
 */
public record ApiCall(
        ApiContext context,
        ConsoleRequest request,
        Identity identity,
        Map<String, String> variables,
        Optional<Operations.Interrupted> restOf) {

    private static final int DEFAULT_LIMIT = 50;
    private static final int MAX_LIMIT = 200;

    ApiCall(ApiContext context, ConsoleRequest request, Identity identity, Map<String, String> variables) {
        this(context, request, identity, variables, Optional.empty());
    }

    public ConsoleDatabase database() {
        return context.database(variable("database"));
    }

    /** Changes of the outbox in the name of the user. */
    OutboxOperations outbox() {
        return database().outbox().by(identity.name());
    }

    /** Changes of failed messages in the name of the user. */
    FailedMessages failed() {
        return database().failed().by(identity.name());
    }

    /** A part of the path. */
    public String variable(String name) {
        return variables.getOrDefault(name, "");
    }

    public UUID id() {
        return uuid(variable("id"));
    }

    public static UUID uuid(String text) {
        try {
            return UUID.fromString(text);
        } catch (IllegalArgumentException e) {
            throw ApiError.invalid("'" + text + "' is not an id, such as 018f0000-0000-7000-8000-000000000000.");
        }
    }

    /** A parameter of the query; empty when it is absent. */
    public String text(String name) {
        return request.query().getOrDefault(name, "");
    }

    public long number(String name, long otherwise) {
        String text = text(name);
        if (text.isEmpty()) {
            return otherwise;
        }
        if (!text.matches("[0-9]{1,18}")) {
            throw ApiError.invalid(name + " (" + text + ") is not a number.");
        }
        return Long.parseLong(text);
    }

    public int limit() {
        return (int) Math.max(1, Math.min(MAX_LIMIT, number("limit", DEFAULT_LIMIT)));
    }

    Instant time(String name, Instant otherwise) {
        return text(name).isEmpty() ? otherwise : instant(name, text(name));
    }

    public static Instant instant(String name, String text) {
        try {
            return Instant.parse(text);
        } catch (DateTimeParseException e) {
            throw ApiError.invalid(name + " (" + text + ") is not a time such as 2026-01-31T12:00:00Z.");
        }
    }

    <E extends Enum<E>> Set<E> choices(String name, Class<E> type) {
        return choices(name, Arrays.stream(text(name).split(",", -1)).toList(), type);
    }

    public static <E extends Enum<E>> Set<E> choices(String name, List<String> words, Class<E> type) {
        Set<E> chosen = EnumSet.noneOf(type);
        words.stream().map(String::strip).filter(word -> !word.isEmpty()).forEach(word -> {
            try {
                chosen.add(Enum.valueOf(type, word.toUpperCase(Locale.ROOT)));
            } catch (IllegalArgumentException e) {
                throw ApiError.invalid("'" + word + "' is not a " + name + ": "
                        + Arrays.stream(type.getEnumConstants()).map(Enum::name).collect(Collectors.joining(", "))
                        + ".");
            }
        });
        return chosen;
    }

    public <T> T body(Class<T> type) {
        return ApiJson.read(request.body(), type);
    }

    /** What hides values from the user; an admin may ask to see them, which is audited. */
    public PayloadMask masking(String what) {
        if (!text("reveal").equals("true")) {
            return context.masking();
        }
        if (!identity.role().includes(Role.ADMIN)) {
            throw new ApiError(403, "Only an admin may see what is masked.");
        }
        database().store().operationLog().write(identity.name(), "console reveal " + what, "revealed", () -> "shown");
        return PayloadMask.NONE;
    }
}
