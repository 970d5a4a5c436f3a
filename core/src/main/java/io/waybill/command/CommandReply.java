package io.waybill.command;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;
import java.util.function.Function;

/**
 * The reply to a command: completed, failed, or timed out with an unknown result.
 *
 * <p>Immutable.
 */
public sealed interface CommandReply {

    /** The command that this is the reply to. */
    UUID commandId();

    /** The correlation id of the command; for a step, its process. */
    UUID correlationId();

    /** One function for each kind of reply. */
    <T> T fold(Function<Completed, T> completed, Function<Failed, T> failed, Function<TimedOut, T> timedOut);

    /** A completed command, with the handler's result by name. */
    static Completed completed(UUID commandId, UUID correlationId, Map<String, Object> data) {
        return new Completed(commandId, correlationId, data);
    }

    /** Failed, and the sender's rules decide whether to try again. */
    static Failed failed(UUID commandId, UUID correlationId, String error) {
        return new Failed(commandId, correlationId, error);
    }

    /** Failed with an exception. */
    static Failed failed(UUID commandId, UUID correlationId, Throwable cause, Retry retry) {
        String message = cause.getMessage() == null ? "" : cause.getMessage();
        return new Failed(commandId, correlationId, cause.getClass().getSimpleName(), message, retry);
    }

    /** No reply in time: the command may have run, or may still run. */
    static TimedOut timedOut(UUID commandId, UUID correlationId, String error) {
        return new TimedOut(commandId, correlationId, error);
    }

    /**
     * Done.
     *
     * @param data what the handler returned, by name; values may be null
     */
    record Completed(UUID commandId, UUID correlationId, Map<String, Object> data) implements CommandReply {

        public Completed {
            data = Collections.unmodifiableMap(new LinkedHashMap<>(data));
        }

        @Override
        public <T> T fold(
                Function<Completed, T> completed, Function<Failed, T> failed, Function<TimedOut, T> timedOut) {
            return completed.apply(this);
        }
    }

    /**
     * Not done, and nothing of it was kept.
     *
     * @param errorType the exception's simple class name, or empty
     * @param message what it said
     * @param retry whether the handler itself says something about trying again
     */
    record Failed(UUID commandId, UUID correlationId, String errorType, String message, Retry retry)
            implements CommandReply {

        /** Failed, and the sender's rules decide whether to try again. */
        public Failed(UUID commandId, UUID correlationId, String error) {
            this(commandId, correlationId, "", error, Retry.BY_RULE);
        }

        /** Type and message in one line, which retry rules look at: {@code InsufficientFundsException: 10 EUR are missing}. */
        public String error() {
            if (errorType.isEmpty()) {
                return message;
            }
            return message.isEmpty() ? errorType : errorType + ": " + message;
        }

        @Override
        public <T> T fold(
                Function<Completed, T> completed, Function<Failed, T> failed, Function<TimedOut, T> timedOut) {
            return failed.apply(this);
        }
    }

    /**
     * In doubt.
     *
     * @param error who waited for what, and how long
     */
    record TimedOut(UUID commandId, UUID correlationId, String error) implements CommandReply {

        @Override
        public <T> T fold(
                Function<Completed, T> completed, Function<Failed, T> failed, Function<TimedOut, T> timedOut) {
            return timedOut.apply(this);
        }
    }

    /** What a failure says about trying again. */
    enum Retry {
        /** The error may go away. */
        ALLOWED,
        /** It will fail again. */
        FORBIDDEN,
        /** The handler does not decide: the sender's rules do. */
        BY_RULE
    }
}
