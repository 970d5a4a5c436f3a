package io.waybill.observe;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Observes a call which goes on when a listener fails: somebody waits for its end. */
final class GuardedCall implements ObservedCall {

    private static final Logger log = LoggerFactory.getLogger(GuardedCall.class);

    private final ObservedCall call;

    private GuardedCall(ObservedCall call) {
        this.call = call;
    }

    static ObservedCall of(Supplier<ObservedCall> listener) {
        try {
            ObservedCall call = listener.get();
            return call == NONE ? NONE : new GuardedCall(call);
        } catch (RuntimeException | LinkageError e) {
            warn(e);
            return NONE;
        }
    }

    @Override
    public <T, E extends Exception> T run(Part<T, E> part) throws E {
        var started = new boolean[1];
        List<T> result = new ArrayList<>(1);
        try {
            return call.<T, E>run(() -> {
                started[0] = true;
                result.add(part.run());
                return result.get(0);
            });
        } catch (RuntimeException | LinkageError e) {
            if (started[0] && result.isEmpty()) {
                throw e;
            }
            warn(e);
            return started[0] ? result.get(0) : part.run();
        }
    }

    @Override
    public void end(String error) {
        try {
            call.end(error);
        } catch (RuntimeException | LinkageError e) {
            warn(e);
        }
    }

    private static void warn(Throwable e) {
        log.warn(
                "WB-132 A listener failed around the call of a handler or publisher; the call is not affected: {}",
                e.toString());
        log.debug("WB-132", e);
    }
}
