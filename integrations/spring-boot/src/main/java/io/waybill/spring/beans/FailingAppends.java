package io.waybill.spring.beans;

import org.springframework.beans.DirectFieldAccessor;
import org.springframework.context.event.ApplicationEventMulticaster;
import org.springframework.context.event.SimpleApplicationEventMulticaster;
import org.springframework.util.ErrorHandler;

/**
 * Gives the exception of an event that cannot be appended to its publisher, where the application has an {@link ErrorHandler} for its
 * listeners. That one gets the exceptions of all others.
 */
public record FailingAppends(ErrorHandler others) implements ErrorHandler {

    static final String FIELD = "errorHandler";

    /** Whether the multicaster has such a handler; it then gives the reason of a {@link NotAppendedException} to the publisher. */
    public static boolean unwrappedBy(ApplicationEventMulticaster multicaster) {
        if (multicaster instanceof SimpleApplicationEventMulticaster simple
                && new DirectFieldAccessor(simple).getPropertyValue(FIELD) instanceof ErrorHandler others) {
            if (!(others instanceof FailingAppends)) {
                simple.setErrorHandler(new FailingAppends(others));
            }
            return true;
        }
        return false;
    }

    @Override
    public void handleError(Throwable failure) {
        if (failure instanceof NotAppendedException append) {
            throw append.reason;
        }
        others.handleError(failure);
    }

    /** An event was not appended, for this reason. */
    public static final class NotAppendedException extends RuntimeException {
        private static final long serialVersionUID = 1;

        private final RuntimeException reason;

        public NotAppendedException(RuntimeException reason) {
            super("An event was not appended: " + reason.getMessage(), reason);
            this.reason = reason;
        }
    }
}
