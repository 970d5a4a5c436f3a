package io.waybill.command;

import io.waybill.Backoff;
import io.waybill.WaybillException;
import java.util.function.Predicate;

/**
 * When a failed command is retried before its sender gets a reply. It does not apply to steps: a process has its own rules.
 *
 * @param maxAttempts how often it is tried, with pauses in between
 * @param retryable which errors may go away; an exception that is {@link Retryable} or {@link Permanent} decides itself
 */
public record CommandRetries(int maxAttempts, Backoff backoff, Predicate<Throwable> retryable) {

    /** Ten attempts for what says that it may go away; everything else fails at once. */
    public static final CommandRetries DEFAULT = new CommandRetries(10, Backoff.DEFAULT, error -> false);

    public CommandRetries {
        if (maxAttempts < 1) {
            throw new WaybillException("A command is tried at least once, not " + maxAttempts + " times.");
        }
    }

    public CommandRetries maxAttempts(int attempts) {
        return new CommandRetries(attempts, backoff, retryable);
    }

    public CommandRetries backoff(Backoff backoff) {
        return new CommandRetries(maxAttempts, backoff, retryable);
    }

    public CommandRetries when(Predicate<Throwable> retryable) {
        return new CommandRetries(maxAttempts, backoff, retryable);
    }

    public CommandReply.Retry verdict(Throwable error) {
        for (Throwable cause = error; cause != null; cause = cause.getCause()) {
            if (cause instanceof Permanent) {
                return CommandReply.Retry.FORBIDDEN;
            }
            if (cause instanceof Retryable || retryable.test(cause)) {
                return CommandReply.Retry.ALLOWED;
            }
        }
        return CommandReply.Retry.BY_RULE;
    }
}
