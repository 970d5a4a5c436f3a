package io.waybill.inbox.receive;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.waybill.inbox.Retry;
import io.waybill.message.Envelope;
import io.waybill.store.failed.Failure;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.UndeclaredThrowableException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;

/** What is kept of an error: enough to find its cause, and to tell which failures are the same. */
public final class ErrorSummary {

    private static final int MAX_ERROR = 2_000;
    private static final int MAX_STACK = 16_000;

    private ErrorSummary() {}

    public static Failure of(Envelope message, String handler, int attempts, Throwable error) {
        Throwable meant = unwrapped(error);
        String text = meant.getMessage() == null ? meant.toString() : meant.getMessage();
        var cause = new Failure.Cause(
                meant.getClass().getSimpleName(),
                shortened(text, MAX_ERROR),
                shortened(stackOf(error), MAX_STACK),
                fingerprint(error, message, handler));
        return new Failure(message, handler, attempts, cause, null, false, Retry.retries(message), null);
    }

    private static Throwable unwrapped(Throwable error) {
        @Nullable Throwable cause = error.getCause();
        boolean wrapper = error instanceof InvocationTargetException
                || error instanceof UndeclaredThrowableException
                || error instanceof CompletionException
                || error instanceof ExecutionException;
        return wrapper && cause != null ? unwrapped(cause) : error;
    }

    /** The same classes thrown at the same places: neither line numbers nor values, which differ from build to build. */
    private static String fingerprint(Throwable error, Envelope message, String handler) {
        var same = new StringBuilder(message.destination()).append('\n').append(handler);
        int depth = 0;
        for (Throwable cause = error; cause != null && depth < 10; cause = cause.getCause(), depth++) {
            same.append('\n').append(cause.getClass().getName());
            StackTraceElement[] stack = cause.getStackTrace();
            if (stack.length > 0) {
                same.append(stack[0].getClassName()).append('.').append(stack[0].getMethodName());
            }
        }
        try {
            byte[] hash =
                    MessageDigest.getInstance("SHA-256").digest(same.toString().getBytes(UTF_8));
            return HexFormat.of().formatHex(hash).substring(0, Failure.Cause.FINGERPRINT_DIGITS);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    private static String stackOf(Throwable error) {
        var out = new StringWriter();
        error.printStackTrace(new PrintWriter(out, true));
        return out.toString();
    }

    private static String shortened(String text, int most) {
        return text.length() <= most ? text : text.substring(0, most - 3) + "...";
    }
}
