package io.waybill.command.store;

import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A command as it is kept.
 *
 * @param correlationId what its reply is for, a process for example; its own id when it is for nothing else
 * @param attempt rises when its sender wants it tried again
 * @param payload JSON
 * @param reply JSON of the reply, empty until there is one
 * @param timeoutAt when its sender stops waiting
 */
public record CommandRecord(
        UUID commandId,
        String type,
        String idempotencyKey,
        String businessKey,
        UUID correlationId,
        int attempt,
        String payload,
        CommandStatus status,
        String reply,
        @Nullable Instant timeoutAt) {

    /** A command that must never run, whether it is known or not. */
    public static CommandRecord refused(UUID commandId, String reply) {
        return new CommandRecord(
                commandId,
                "",
                "compensated:" + commandId,
                "",
                commandId,
                Integer.MAX_VALUE,
                "{}",
                CommandStatus.FAILED,
                reply,
                null);
    }

    /** The same, done. */
    public CommandRecord completed(String reply) {
        return new CommandRecord(
                commandId,
                type,
                idempotencyKey,
                businessKey,
                correlationId,
                attempt,
                payload,
                CommandStatus.COMPLETED,
                reply,
                null);
    }

    /** Whether this is the same request. */
    public boolean isSameAs(CommandRecord other) {
        return type.equals(other.type) && payload.equals(other.payload) && businessKey.equals(other.businessKey);
    }
}
