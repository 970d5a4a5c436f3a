package io.waybill.command.execution;

import io.waybill.WaybillException;
import io.waybill.command.store.CommandRecord;
import io.waybill.command.store.CommandStatus;
import io.waybill.message.Category;
import io.waybill.message.Envelope;
import io.waybill.message.Message;
import io.waybill.message.NamedId;
import io.waybill.message.Payload;
import io.waybill.message.StorableMessage;
import io.waybill.message.UuidV7;
import io.waybill.transport.wire.Headers;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/**
 * A command on its way, as its headers describe it.
 *
 * @param commandId the same through all attempts
 * @param correlationId what the reply is for
 * @param replyTo where the reply goes when the handler is elsewhere
 * @param byRules whether its sender has rules of its own about trying again, so that it is tried once
 * @param refuses the command that must not run any more: then this message asks for nothing else
 */
record CommandMessage(
        UUID commandId,
        UUID correlationId,
        int attempt,
        String type,
        String replyTo,
        boolean byRules,
        Optional<UUID> refuses,
        Envelope envelope) {

    private static final String COMMAND_ID = "command-id";
    private static final String ATTEMPT = "command-attempt";
    private static final String REPLY_TO = "reply-to";
    private static final String BY_RULES = "command-by-rules";
    private static final String REFUSES = "command-refuses";
    private static final String IDEMPOTENCY_KEY = "idempotency-key";

    private static final int MAX_ATTEMPT_IN_ID = 999;

    static Message of(CommandRecord command, String queue, String replyTo, Map<String, String> headers) {
        var all = new LinkedHashMap<>(headers);
        all.put(COMMAND_ID, command.commandId().toString());
        all.put(ATTEMPT, String.valueOf(command.attempt()));
        all.put(Headers.CORRELATION_ID, command.correlationId().toString());
        all.put(IDEMPOTENCY_KEY, command.idempotencyKey());
        all.put(REPLY_TO, replyTo);
        return Message.command(command.type(), command.payload()).to(queue).headers(all);
    }

    /** What a command that is not sent would have been, for those who observe how it is handled. */
    static Envelope inline(CommandRecord command, String queue, String partitionKey) {
        return new Envelope(
                command.commandId(),
                Category.COMMAND,
                command.type(),
                queue,
                "",
                partitionKey,
                Payload.text(command.payload()),
                Map.of(Headers.CORRELATION_ID, command.correlationId().toString()));
    }

    /**
     * The id of the message for one attempt of a command whose sender decides about trying again: the command's with the attempt in it, so that
     * the message is found by the command. Attempts of four digits have no room there.
     */
    static UUID id(UUID commandId, int attempt) {
        if (attempt > MAX_ATTEMPT_IN_ID) {
            return UuidV7.SYSTEM.get();
        }
        String text = commandId.toString();
        return UUID.fromString(
                text.substring(0, 15) + String.format(Locale.ROOT, "%03d", attempt) + text.substring(18));
    }

    /** More headers of a command whose sender decides about trying again. */
    static Map<String, String> byRules(CommandDispatch dispatch) {
        var headers = new HashMap<>(dispatch.headers());
        headers.put(BY_RULES, "true");
        dispatch.refuses().ifPresent(command -> headers.put(REFUSES, command.toString()));
        return headers;
    }

    static CommandMessage read(Envelope envelope) {
        Map<String, String> headers = envelope.headers();
        requireKept("type", envelope.type());
        requireKept("partition key", envelope.partitionKey());
        requireKept("header " + IDEMPOTENCY_KEY, headers.getOrDefault(IDEMPOTENCY_KEY, ""));
        if (envelope.payload().asText().indexOf('\0') >= 0) {
            throw new WaybillException("The payload of a command is text without U+0000; this one has it.");
        }
        String replyTo = headers.getOrDefault(REPLY_TO, "");
        requireKept("header " + REPLY_TO, replyTo);
        UUID commandId = id(headers, COMMAND_ID).orElse(envelope.id());
        return new CommandMessage(
                commandId,
                id(headers, Headers.CORRELATION_ID).orElse(commandId),
                attempt(headers),
                envelope.type(),
                replyTo.isBlank() ? "" : replyTo,
                headers.containsKey(BY_RULES),
                id(headers, REFUSES),
                envelope);
    }

    /** Whether the headers are those of a command. */
    static boolean isReadable(Envelope envelope) {
        try {
            read(envelope);
            return true;
        } catch (WaybillException e) {
            return false;
        }
    }

    /** The same command as another message for another destination. */
    Envelope again(UUID messageId, String destination) {
        return new Envelope(
                        messageId,
                        envelope.category(),
                        type,
                        destination,
                        StorableMessage.name(envelope.key()),
                        envelope.partitionKey(),
                        envelope.payload(),
                        envelope.headers())
                .withHeader(COMMAND_ID, commandId.toString());
    }

    /** The command as a worker keeps it that got it from a broker. */
    CommandRecord record() {
        return new CommandRecord(
                commandId,
                type,
                envelope.headers().getOrDefault(IDEMPOTENCY_KEY, commandId.toString()),
                envelope.partitionKey(),
                correlationId,
                attempt,
                envelope.payload().asText(),
                CommandStatus.PENDING,
                "",
                null);
    }

    /** The message that replies to this one. */
    Message reply(String json) {
        return Message.reply(type, json)
                .to(replyTo)
                .inOrderOf(correlationId)
                .header(COMMAND_ID, commandId.toString())
                .header(ATTEMPT, String.valueOf(attempt))
                .header(Headers.CORRELATION_ID, correlationId.toString());
    }

    /** A command is looked up by these, so that a shortened one would be another. */
    private static void requireKept(String what, String value) {
        if (!StorableMessage.name(value).equals(value)) {
            throw new WaybillException(
                    "The " + what + " of a command has at most 255 characters and no U+0000; this one has "
                            + value.length() + ": " + StorableMessage.name(value));
        }
    }

    private static int attempt(Map<String, String> headers) {
        String attempt = headers.getOrDefault(ATTEMPT, "1");
        try {
            return Integer.parseInt(attempt);
        } catch (NumberFormatException e) {
            throw new WaybillException("The header " + ATTEMPT + " is '" + attempt + "', which is no number.", e);
        }
    }

    private static Optional<UUID> id(Map<String, String> headers, String name) {
        String text = headers.getOrDefault(name, "");
        Optional<UUID> id = NamedId.read(text);
        if (id.isEmpty() && !text.isEmpty()) {
            throw new WaybillException(
                    "The header " + name + " is '" + StorableMessage.name(text) + "', which is no UUID.");
        }
        return id;
    }
}
