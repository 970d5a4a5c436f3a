package io.waybill.testkit.services.host;

import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Starts a service for the first who asks; everybody after gets the same service, or the same failure without the wait. */
public final class Once<T> {

    private final Supplier<T> starter;
    private @Nullable T service;
    private @Nullable IllegalStateException failure;

    public Once(Supplier<T> starter) {
        this.starter = starter;
    }

    public synchronized T get() {
        if (failure != null) {
            throw new IllegalStateException(failure.getMessage(), failure);
        }
        if (service == null) {
            try {
                service = starter.get();
            } catch (IllegalStateException e) {
                failure = e;
                throw e;
            }
        }
        return service;
    }
}
