package io.waybill.relay;

import io.waybill.WaybillException;
import io.waybill.message.DestinationPattern;
import io.waybill.store.OnExhausted;
import io.waybill.transport.Publisher;

/**
 * Which destinations go to which broker, and how patiently.
 *
 * @param pattern the destinations it is for
 * @param maxAttempts how often a message may be refused before it has failed
 * @param onExhausted what then becomes of its key
 */
public record Route(
        DestinationPattern pattern, Publisher publisher, int maxAttempts, Backoff backoff, OnExhausted onExhausted) {

    public static final int DEFAULT_MAX_ATTEMPTS = 10;

    public Route {
        if (maxAttempts < 1) {
            throw new WaybillException("max-attempts (" + maxAttempts + ") of route '" + pattern
                    + "' must be at least 1, or nothing would ever be sent.");
        }
    }

    /** These destinations go to this broker, with the defaults: ten attempts, then the key is parked. */
    public static Route of(String pattern, Publisher publisher) {
        return new Route(
                DestinationPattern.of(pattern), publisher, DEFAULT_MAX_ATTEMPTS, Backoff.DEFAULT, OnExhausted.PARK);
    }

    public Route maxAttempts(int attempts) {
        return new Route(pattern, publisher, attempts, backoff, onExhausted);
    }

    public Route backoff(Backoff backoff) {
        return new Route(pattern, publisher, maxAttempts, backoff, onExhausted);
    }

    public Route onExhausted(OnExhausted onExhausted) {
        return new Route(pattern, publisher, maxAttempts, backoff, onExhausted);
    }
}
