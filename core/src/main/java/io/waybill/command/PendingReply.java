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
 * An answer to come. It comes after the transaction in which the command was sent has committed; who waits for it before waits in
 * vain.
 *
 * @param future completes with the answer, on any node that shares the database; never if the transaction was rolled back. What hangs on
 *     it runs on a thread of Waybill: use {@code thenAcceptAsync} for what takes long. Who cancels it waits no more
 */
public record PendingReply(UUID commandId, CompletableFuture<CommandReply> future, PayloadCodec codec) {

    /** Waits for the answer. When it does not come in time the command goes on, and so may the caller. */
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
