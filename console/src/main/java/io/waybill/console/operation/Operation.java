package io.waybill.console.operation;

import io.waybill.message.UuidV7;
import java.time.Instant;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

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
    private volatile long total = -1;
    private volatile long done;
    private volatile boolean cancelled;
    private volatile boolean wasCancelled;

    Operation(String database, String operator, String command, String reason, Instant startedAt) {
        this.database = database;
        this.operator = operator;
        this.command = command;
        this.reason = reason;
        this.startedAt = startedAt;
    }

    /** Does it, and says how far it is; what that throws ends it. */
    @FunctionalInterface
    public interface Work {
        Result run(Progress progress);
    }

    /** Called after each step with how many are changed. */
    public interface Progress extends LongConsumer {

        /** To be called before the first step with how many are selected; returns the same. */
        long selected(long total);
    }

    /**
     * What became of it.
     *
     * @param what was done, in words
     * @param total how many were selected
     * @param refused how many of them were looked at and not changed
     */
    public record Result(String what, long total, long changed, long refused) {

        public Result {
            total = Math.max(total, changed + refused);
        }

        /** Of a change that has counted nothing before. */
        public Result(String what, long changed, long refused) {
            this(what, 0, changed, refused);
        }

        /**
         * Of messages, as everybody may change them at the same time.
         *
         * @param done what was done with those that are changed
         * @param why some were refused
         */
        public static Result of(String done, long total, long changed, long refused, String why) {
            var counts = new Result(done, total, changed, refused);
            long others = counts.conflicting();
            String what = changed + " " + done + (refused == 0 ? "" : ", " + refused + " not: " + why)
                    + (others == 0
                            ? ""
                            : "; " + others + (others == 1 ? " was" : " were")
                                    + " changed by somebody else meanwhile: see the audit");
            return new Result(what, total, changed, refused);
        }

        /** How many were selected, and changed by somebody else before it came to them. */
        public long conflicting() {
            return total - changed - refused;
        }
    }

    /**
     * How many messages, processes or other things it is about.
     *
     * @param total how many were selected when it began; null as long as that is not known
     * @param skipped how many were looked at and not changed
     * @param conflicting how many somebody else had changed before it came to them; known at its end
     */
    public record Counts(@Nullable Long total, long changed, long skipped, long conflicting) {}

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

    void selected(long count) {
        total = count;
        goOn();
    }

    void step(long changed) {
        done = changed;
        goOn();
    }

    /** Between two steps, and before the first one. */
    void goOn() {
        if (cancelled) {
            throw new Cancelled();
        }
    }

    Result cancelledResult() {
        wasCancelled = true;
        return new Result("Cancelled after " + done, done, 0);
    }

    CompletableFuture<Result> result() {
        return result;
    }

    /** Ends it after the step that is being done, if another one follows. */
    public void cancel() {
        cancelled = true;
    }

    public State state() {
        if (!result.isDone()) {
            return State.RUNNING;
        }
        return result.isCompletedExceptionally() ? State.FAILED : wasCancelled ? State.CANCELLED : State.DONE;
    }

    /** How far it is. */
    public Counts counts() {
        if (state() == State.RUNNING || state() == State.FAILED) {
            return new Counts(total < 0 ? null : total, done, 0, 0);
        }
        Result end = result.join();
        return new Counts(Math.max(total, end.total()), end.changed(), end.refused(), end.conflicting());
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
