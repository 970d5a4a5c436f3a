package io.waybill.process;

import io.waybill.command.CommandReply;
import io.waybill.message.Payload;
import io.waybill.message.PayloadCodec;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** What processes tell each other, as JSON. */
final class ProcessMessageJson {

    private static final String START = "start";
    private static final String UNDO = "undo";
    private static final String ANSWERED = "answered";

    private final PayloadCodec codec;

    ProcessMessageJson(PayloadCodec codec) {
        this.codec = codec;
    }

    String write(ProcessMessage message) {
        Map<String, Object> members = new LinkedHashMap<>();
        members.put("process", message.processId());
        if (message instanceof ProcessMessage.StartChild start) {
            members.put("kind", START);
            members.put("type", start.processType());
            members.put("data", start.data());
            putParent(members, start.parent());
        } else if (message instanceof ProcessMessage.UndoChild undo) {
            members.put("kind", UNDO);
            putParent(members, undo.parent());
        } else if (message instanceof ProcessMessage.ChildAnswered answered) {
            members.put("kind", ANSWERED);
            putReply(members, answered.reply());
        }
        return codec.encode(members).asText();
    }

    private static void putParent(Map<String, Object> members, ProcessParent parent) {
        members.put("parent", parent.processId());
        members.put("command", parent.commandId());
        if (parent.undoCommandId() != null) {
            members.put("undoCommand", parent.undoCommandId());
        }
    }

    private static void putReply(Map<String, Object> members, CommandReply reply) {
        members.put("command", reply.commandId());
        members.put("correlation", reply.correlationId());
        reply.fold(
                completed -> members.put("data", completed.data()),
                failed -> {
                    members.put("errorType", failed.errorType());
                    members.put("retry", failed.retry().name());
                    return members.put("error", failed.message());
                },
                timedOut -> members.put("timedOut", timedOut.error()));
    }

    @SuppressWarnings("unchecked")
    ProcessMessage read(Payload json) {
        Map<String, Object> members = codec.decode(json, LinkedHashMap.class);
        UUID process = id(members, "process");
        return switch (text(members, "kind")) {
            case START -> new ProcessMessage.StartChild(process, text(members, "type"), parent(members), data(members));
            case UNDO -> new ProcessMessage.UndoChild(process, parent(members));
            default -> new ProcessMessage.ChildAnswered(process, reply(members));
        };
    }

    private static ProcessParent parent(Map<String, Object> members) {
        @Nullable UUID undo = members.containsKey("undoCommand") ? id(members, "undoCommand") : null;
        return new ProcessParent(id(members, "parent"), id(members, "command"), undo);
    }

    private static CommandReply reply(Map<String, Object> members) {
        UUID command = id(members, "command");
        UUID correlation = id(members, "correlation");
        if (members.containsKey("timedOut")) {
            return CommandReply.timedOut(command, correlation, text(members, "timedOut"));
        }
        if (members.containsKey("error")) {
            return new CommandReply.Failed(
                    command,
                    correlation,
                    text(members, "errorType"),
                    text(members, "error"),
                    CommandReply.Retry.valueOf(text(members, "retry")));
        }
        return CommandReply.completed(command, correlation, data(members));
    }

    @SuppressWarnings("unchecked")
    private static Map<String, Object> data(Map<String, Object> members) {
        return (Map<String, Object>) members.getOrDefault("data", Map.of());
    }

    private static UUID id(Map<String, Object> members, String name) {
        return UUID.fromString(text(members, name));
    }

    private static String text(Map<String, Object> members, String name) {
        return String.valueOf(members.getOrDefault(name, ""));
    }
}
