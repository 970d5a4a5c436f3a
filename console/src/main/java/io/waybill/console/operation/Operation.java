package io.waybill.console.operation;

import io.waybill.message.UuidV7;
import java.time.Instant;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongConsumer;

/**
 * A change that goes step by step. What a step has changed stays changed, also when the operation is cancelled.
 *
 * <p><i>Threads:</i> safe.
 */
public final class Operation {

    private final UUID id = UuidV7.SYSTEM.get();
    private final String database;
    private final String operator;
    private final String command;
    private final String reason;
    private final Instant startedAt;
    private final CompletableFuture<Result> result = new CompletableFuture<>();
    private volatile long done;
    private volatile boolean cancelled;

    Operation(String database, String operator, String command, String reason, Instant startedAt) {
        this.database = database;
        this.operator = operator;
        this.command = command;
        this.reason = reason;
        this.startedAt = startedAt;
    }

    /** Does it, and says after each step how many are changed; what that throws ends it. */
    @FunctionalInterface
    public interface Work {
        Result run(LongConsumer progress);
    }

    /**
     * What became of it.
     *
     * @param what was done, in words
     * @param refused how many were selected and not changed
     */
    public record Result(String what, long changed, long refused) {}

    /** Where it stands. */
    public enum State {
        RUNNING,
        DONE,
        CANCELLED,
        FAILED
    }

    /** Thrown between two steps. */
    static final class Cancelled extends RuntimeException {
        private static final long serialVersionUID = 1;
    }

    void step(long changed) {
        done = changed;
        if (cancelled) {
            throw new Cancelled();
        }
    }

    CompletableFuture<Result> result() {
        return result;
    }

    /** Ends it after the step that is being done. */
    public void cancel() {
        cancelled = true;
    }

    public State state() {
        if (!result.isDone()) {
            return State.RUNNING;
        }
        return result.isCompletedExceptionally() ? State.FAILED : cancelled ? State.CANCELLED : State.DONE;
    }

    /** How many are changed so far. */
    public long done() {
        return done;
    }

    public UUID id() {
        return id;
    }

    public String database() {
        return database;
    }

    public String operator() {
        return operator;
    }

    public String command() {
        return command;
    }

    public String reason() {
        return reason;
    }

    public Instant startedAt() {
        return startedAt;
    }
}
