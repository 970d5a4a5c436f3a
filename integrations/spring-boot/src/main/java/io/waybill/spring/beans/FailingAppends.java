package io.waybill.spring.beans;

import org.jspecify.annotations.Nullable;
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
    private static final ThreadLocal<@Nullable RuntimeException> LAST = new ThreadLocal<>();

    public static void rethrownBy(ApplicationEventMulticaster multicaster) {
        if (multicaster instanceof SimpleApplicationEventMulticaster simple
                && new DirectFieldAccessor(simple).getPropertyValue(FIELD) instanceof ErrorHandler others
                && !(others instanceof FailingAppends)) {
            simple.setErrorHandler(new FailingAppends(others));
        }
    }

    /** This one is for the publisher. */
    public static RuntimeException noted(RuntimeException failure) {
        LAST.set(failure);
        return failure;
    }

    @Override
    public void handleError(Throwable failure) {
        RuntimeException last = LAST.get();
        LAST.remove();
        if (failure == last) {
            throw last;
        }
        others.handleError(failure);
    }
}
