package io.waybill.observe;

import java.util.function.Supplier;

/**
 * Goes around one call of a handler or a publisher, for traces and times. Every method does nothing unless it is overridden.
 *
 * <p><i>Threads:</i> those of the call; its parts may run one after the other on different ones.
 */
public interface ObservedCall {

    /** Observes nothing. */
    ObservedCall NONE = new ObservedCall() {};

    /** What a listener gives to observe a call with. If it fails now or later, that is logged, and the call goes on. */
    static ObservedCall guarded(Supplier<ObservedCall> listener) {
        return GuardedCall.of(listener);
    }

    /** Some of what the call does. */
    @FunctionalInterface
    interface Part<T, E extends Exception> {
        T run() throws E;
    }

    /** Runs a part of the call. */
    default <T, E extends Exception> T run(Part<T, E> part) throws E {
        return part.run();
    }

    /** The call has ended; the error is empty when it ended well. */
    default void end(String error) {}

    /** Both of them, this one outside. */
    default ObservedCall and(ObservedCall inner) {
        ObservedCall outer = this;
        if (outer == NONE || inner == NONE) {
            return outer == NONE ? inner : outer;
        }
        return new ObservedCall() {
            @Override
            public <T, E extends Exception> T run(Part<T, E> part) throws E {
                return outer.<T, E>run(() -> inner.run(part));
            }

            @Override
            public void end(String error) {
                inner.end(error);
                outer.end(error);
            }
        };
    }
}
