package io.waybill.process.message;

import io.waybill.WaybillException;
import io.waybill.command.CommandReply;
import io.waybill.message.Message;
import io.waybill.message.Payload;
import io.waybill.message.PayloadCodec;
import io.waybill.process.state.ProcessParent;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** What processes tell each other, as JSON. */
public final class ProcessMessageJson {

    /** The destination of messages to a process whose type the sender does not know. */
    public static final String DESTINATION = "waybill.process";

    private static final String START = "start";
    private static final String START_PROCESS = "start-process";
    private static final String COMPENSATE = "compensate";
    private static final String CANCEL = "cancel";
    private static final String REPLIED = "replied";
    private static final String OPERATE = "operate";
    private static final String HELD = "held";

    private final PayloadCodec codec;

    public ProcessMessageJson(PayloadCodec codec) {
        this.codec = codec;
    }

    /** The message that brings it, to where only nodes take it that can, as far as that is known. */
    public Message message(ProcessMessage message) {
        if (message instanceof ProcessMessage.HeldReply held) {
            return message(message, destination(held.processType(), held.version()));
        }
        if (message instanceof ProcessMessage.StartChild start) {
            return message(message, destination(start.processType()));
        }
        if (message instanceof ProcessMessage.StartProcess start) {
            return message(
                    message,
                    start.version() == 0
                            ? destination(start.processType())
                            : destination(start.processType(), start.version()));
        }
        if (message instanceof ProcessMessage.CompensateChild compensation) {
            return message(message, destination(compensation.processType()));
        }
        return message(
                message,
                message instanceof ProcessMessage.CancelChild cancel ? destination(cancel.processType()) : DESTINATION);
    }

    public Message message(ProcessMessage message, String destination) {
        return Message.command("ProcessMessage", write(message)).to(destination).inOrderOf(message.processId());
    }

    /** What only nodes with this version of the type take. */
    public static String destination(String processType, int version) {
        return DESTINATION + "." + processType + "." + version;
    }

    /** What only nodes with the type take, in whatever version: a process that has not begun has none. */
    public static String destination(String processType) {
        return DESTINATION + "." + processType + ".any";
    }

    private String write(ProcessMessage message) {
        Map<String, Object> members = new LinkedHashMap<>();
        members.put("process", message.processId());
        if (message instanceof ProcessMessage.StartChild start) {
            members.put("kind", START);
            members.put("type", start.processType());
            members.put("data", start.data());
            putParent(members, start.parent());
        } else if (message instanceof ProcessMessage.StartProcess start) {
            putStart(members, start);
        } else if (message instanceof ProcessMessage.CompensateChild compensation) {
            members.put("kind", COMPENSATE);
            members.put("type", compensation.processType());
            putParent(members, compensation.parent());
        } else if (message instanceof ProcessMessage.CancelChild cancel) {
            members.put("kind", CANCEL);
            members.put("type", cancel.processType());
            members.put("reason", cancel.reason());
        } else if (message instanceof ProcessMessage.ChildReplied replied) {
            members.put("kind", REPLIED);
            putReply(members, replied.reply());
        } else if (message instanceof ProcessMessage.HeldReply held) {
            members.put("kind", HELD);
            members.put("type", held.processType());
            members.put("version", held.version());
            members.put("attempt", held.attempt());
            putReply(members, held.reply());
        } else if (message instanceof ProcessMessage.Operate operate) {
            members.put("kind", OPERATE);
            putRequest(members, operate.request());
        }
        return codec.encode(members).asText();
    }

    private static void putStart(Map<String, Object> members, ProcessMessage.StartProcess start) {
        members.put("kind", START_PROCESS);
        members.put("type", start.processType());
        members.put("version", start.version());
        members.put("key", start.businessKey());
        members.put("data", start.data());
        members.put("by", start.by());
        members.put("reason", start.reason());
    }

    private static void putParent(Map<String, Object> members, ProcessParent parent) {
        members.put("parent", parent.processId());
        members.put("command", parent.commandId());
        if (parent.compensationCommandId() != null) {
            members.put("compensationCommand", parent.compensationCommandId());
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

    private static void putRequest(Map<String, Object> members, ProcessRequest request) {
        members.put("request", request.id());
        members.put("verb", request.verb().name());
        members.put("subject", request.subject());
        members.put("data", request.data());
        members.put("by", request.by());
        members.put("reason", request.reason());
        members.put("key", request.key());
    }

    @SuppressWarnings("unchecked")
    public ProcessMessage read(Payload json) {
        Map<String, Object> members = codec.decode(json, LinkedHashMap.class);
        UUID process = id(members, "process");
        String kind = text(members, "kind");
        return switch (kind) {
            case START -> new ProcessMessage.StartChild(process, text(members, "type"), parent(members), data(members));
            case START_PROCESS ->
                new ProcessMessage.StartProcess(
                        process,
                        text(members, "type"),
                        Integer.parseInt(text(members, "version")),
                        text(members, "key"),
                        data(members),
                        text(members, "by"),
                        text(members, "reason"));
            case COMPENSATE -> new ProcessMessage.CompensateChild(process, text(members, "type"), parent(members));
            case CANCEL -> new ProcessMessage.CancelChild(process, text(members, "type"), text(members, "reason"));
            case HELD ->
                new ProcessMessage.HeldReply(
                        process,
                        text(members, "type"),
                        Integer.parseInt(text(members, "version")),
                        Integer.parseInt(text(members, "attempt")),
                        reply(members));
            case OPERATE -> new ProcessMessage.Operate(process, request(members));
            case REPLIED -> new ProcessMessage.ChildReplied(process, reply(members));
            default ->
                throw new WaybillException(
                        "Process " + process + " has a message of the kind '" + kind + "', which this"
                                + " version of Waybill does not know. It was written by a newer one: run that here.");
        };
    }

    private static ProcessParent parent(Map<String, Object> members) {
        @Nullable
        UUID compensation = members.containsKey("compensationCommand") ? id(members, "compensationCommand") : null;
        return new ProcessParent(id(members, "parent"), id(members, "command"), compensation);
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

    private static ProcessRequest request(Map<String, Object> members) {
        return new ProcessRequest(
                id(members, "request"),
                ProcessRequest.Verb.valueOf(text(members, "verb")),
                text(members, "subject"),
                data(members),
                text(members, "by"),
                text(members, "reason"),
                text(members, "key"));
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
