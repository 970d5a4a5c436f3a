package io.waybill.command;

import java.time.Instant;
import java.util.Map;
import java.util.UUID;

/**
 * Accepts commands for handlers in this process or elsewhere. A command is written in the caller's transaction, or in its own if
 * there is none; its handler runs once, after the commit.
 *
 * <p><i>Threads:</i> safe.
 */
public interface CommandBus {

    /**
     * Accepts a command by the name of its type.
     *
     * @param idempotencyKey a second command with the same key is not accepted: its id is that of the first
     * @param businessKey commands of one queue and business key run in order; may be empty
     * @param payload JSON
     * @return the id of the command; of the first one with this key
     * @throws io.waybill.WaybillException when the key belongs to a different command; or the handler is in this process, and the
     *     payload is not one of the command
     */
    UUID accept(String type, String idempotencyKey, String businessKey, String payload, Map<String, String> headers);

    /** Accepts a command without waiting for its reply. */
    default UUID accept(DomainCommand command, IdempotencyKey idempotencyKey, BusinessKey businessKey) {
        return accept(command, idempotencyKey, businessKey, CommandOptions.DEFAULT);
    }

    UUID accept(DomainCommand command, IdempotencyKey idempotencyKey, BusinessKey businessKey, CommandOptions options);

    /** Accepts a command that runs at this time or soon after. */
    UUID schedule(DomainCommand command, IdempotencyKey idempotencyKey, BusinessKey businessKey, Instant at);

    /** Accepts a command and returns its reply as a future value. */
    default PendingReply send(DomainCommand command, IdempotencyKey idempotencyKey) {
        return send(command, idempotencyKey, BusinessKey.NONE, CommandOptions.DEFAULT);
    }

    PendingReply send(
            DomainCommand command, IdempotencyKey idempotencyKey, BusinessKey businessKey, CommandOptions options);
}
