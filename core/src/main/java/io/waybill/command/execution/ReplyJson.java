package io.waybill.command.execution;

import io.waybill.command.CommandReply;
import io.waybill.message.Payload;
import io.waybill.message.PayloadCodec;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Replies as JSON: in the row of their command, and on the way. */
final class ReplyJson {

    private static final String STATUS = "status";
    private static final String DATA = "data";
    private static final String ERROR_TYPE = "errorType";
    private static final String MESSAGE = "message";
    private static final String RETRY = "retry";
    private static final String COMPLETED = "COMPLETED";
    private static final String FAILED = "FAILED";
    private static final String TIMED_OUT = "TIMED_OUT";

    /** What a handler replies that returns nothing: most of them. */
    private static final String COMPLETED_WITH_NOTHING = "{\"status\":\"COMPLETED\",\"data\":{}}";

    private final PayloadCodec codec;

    ReplyJson(PayloadCodec codec) {
        this.codec = codec;
    }

    String write(CommandReply reply) {
        if (reply instanceof CommandReply.Completed done && done.data().isEmpty()) {
            return COMPLETED_WITH_NOTHING;
        }
        Map<String, Object> members = new LinkedHashMap<>();
        reply.fold(
                completed -> {
                    members.put(STATUS, COMPLETED);
                    return members.put(DATA, completed.data());
                },
                failed -> {
                    members.put(STATUS, FAILED);
                    members.put(ERROR_TYPE, failed.errorType());
                    members.put(MESSAGE, failed.message());
                    return members.put(RETRY, failed.retry().name());
                },
                timedOut -> {
                    members.put(STATUS, TIMED_OUT);
                    return members.put(MESSAGE, timedOut.error());
                });
        return codec.encode(members).asText();
    }

    CommandReply read(UUID commandId, UUID correlationId, String json) {
        Map<String, Object> members = map(Payload.text(json));
        return switch (text(members, STATUS)) {
            case COMPLETED -> CommandReply.completed(commandId, correlationId, data(members.get(DATA)));
            case TIMED_OUT -> CommandReply.timedOut(commandId, correlationId, text(members, MESSAGE));
            default ->
                new CommandReply.Failed(
                        commandId,
                        correlationId,
                        text(members, ERROR_TYPE),
                        text(members, MESSAGE),
                        retry(text(members, RETRY)));
        };
    }

    /** What a handler returned, by name: nothing of {@code void}, the members of an object, anything else as {@code value}. */
    Map<String, Object> data(@Nullable Object result) {
        if (result == null) {
            return Map.of();
        }
        Payload json = codec.encode(result);
        if (json.asText().startsWith("{")) {
            return map(json);
        }
        return Map.of("value", codec.decode(json, Object.class));
    }

    @SuppressWarnings("unchecked")
    private Map<String, Object> map(Payload json) {
        return codec.decode(json, LinkedHashMap.class);
    }

    private static String text(Map<String, Object> members, String name) {
        return String.valueOf(members.getOrDefault(name, ""));
    }

    private static CommandReply.Retry retry(String name) {
        for (CommandReply.Retry retry : CommandReply.Retry.values()) {
            if (retry.name().equals(name)) {
                return retry;
            }
        }
        return CommandReply.Retry.BY_RULE;
    }
}
