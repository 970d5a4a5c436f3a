package io.waybill.command;

import io.waybill.WaybillException;
import io.waybill.message.PayloadCodec;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * The future reply to a command. Do not await it inside the sending transaction: the command runs after the commit.
 *
 * @param future completes with the reply, on any node that shares the database; never if the transaction was rolled back. Dependent
 *     stages run on a thread of Waybill: use {@code thenAcceptAsync} for long work. Cancelling it stops the waiting, not the command
 */
public record PendingReply(UUID commandId, CompletableFuture<CommandReply> future, PayloadCodec codec) {

    /** Waits for the reply. After the timeout the command continues, and you may await it again. */
    public AwaitedReply await(Duration atMost) {
        try {
            return new AwaitedReply(future.get(atMost.toNanos(), TimeUnit.NANOSECONDS), codec);
        } catch (TimeoutException e) {
            return new AwaitedReply(
                    CommandReply.timedOut(
                            commandId,
                            commandId,
                            "No reply within " + atMost
                                    + ". The command continues: look it up by its id. If the transaction that sent it is still open, it"
                                    + " cannot have started."),
                    codec);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new WaybillException("Interrupted while waiting for the reply to command " + commandId + ".", e);
        } catch (ExecutionException e) {
            throw new WaybillException("The reply to command " + commandId + " cannot be had: " + e.getCause(), e);
        }
    }
}
