package io.waybill.command;

import java.time.Instant;
import java.util.Map;
import java.util.UUID;

/**
 * Accepts commands. A command and the message that carries it to its handler are written in the caller's transaction, or in one of
 * their own when there is none; the handler runs after the commit, once, wherever it is.
 *
 * <p><i>Threads:</i> safe.
 */
public interface CommandBus {

    /**
     * Accepts a command by the name of its type.
     *
     * @param idempotencyKey a second command with it is not accepted: it is the first one
     * @param businessKey what it is about; commands of one queue about one thing run in order; may be empty
     * @param payload JSON
     * @return the id of the command; of the first one with this key
     * @throws io.waybill.WaybillException when the key belongs to a different command; or the handler is in this process, and the
     *     payload is not one of the command
     */
    UUID accept(String type, String idempotencyKey, String businessKey, String payload, Map<String, String> headers);

    /** Accepts a command, whose answer nobody waits for. */
    default UUID accept(DomainCommand command, IdempotencyKey idempotencyKey, BusinessKey businessKey) {
        return accept(command, idempotencyKey, businessKey, CommandOptions.DEFAULT);
    }

    UUID accept(DomainCommand command, IdempotencyKey idempotencyKey, BusinessKey businessKey, CommandOptions options);

    /** Accepts a command that runs at this moment or soon after. */
    UUID schedule(DomainCommand command, IdempotencyKey idempotencyKey, BusinessKey businessKey, Instant at);

    /** Accepts a command and gives its answer, when it comes. */
    default PendingReply send(DomainCommand command, IdempotencyKey idempotencyKey) {
        return send(command, idempotencyKey, BusinessKey.NONE, CommandOptions.DEFAULT);
    }

    PendingReply send(
            DomainCommand command, IdempotencyKey idempotencyKey, BusinessKey businessKey, CommandOptions options);
}
