package io.waybill.relay;

import io.waybill.WaybillException;
import io.waybill.message.DestinationPattern;
import io.waybill.message.Envelope;
import io.waybill.store.OnExhausted;
import io.waybill.transport.Publisher;
import io.waybill.transport.Transport;
import io.waybill.transport.WireFormat;

/**
 * Which destinations go to which broker, how they look there, and how patiently they are sent.
 *
 * @param pattern the destinations it is for
 * @param name what the broker calls them; {@value #DESTINATION} stands for the destination
 * @param maxAttempts how often a message may be refused before it has failed
 * @param onExhausted what then becomes of its key
 */
public record Route(
        DestinationPattern pattern,
        Transport transport,
        WireFormat format,
        String name,
        int maxAttempts,
        Backoff backoff,
        OnExhausted onExhausted) {

    public static final int DEFAULT_MAX_ATTEMPTS = 10;

    private static final String DESTINATION = "{destination}";

    public Route {
        if (maxAttempts < 1) {
            throw new WaybillException("max-attempts (" + maxAttempts + ") of route '" + pattern
                    + "' must be at least 1, or nothing would ever be sent.");
        }
        if (name.isBlank()) {
            throw new WaybillException("The name of route '" + pattern + "' at its broker is empty. Write '"
                    + DESTINATION + "' to keep the destination, or for example 'shop." + DESTINATION + "'.");
        }
    }

    /** These destinations go to this broker, with the defaults: as they are, ten attempts, then the key is parked. */
    public static Route of(String pattern, Transport transport) {
        return new Route(
                DestinationPattern.of(pattern),
                transport,
                WireFormat.PLAIN,
                DESTINATION,
                DEFAULT_MAX_ATTEMPTS,
                Backoff.DEFAULT,
                OnExhausted.PARK);
    }

    /** The same for a publisher that all relays may share. */
    public static Route of(String pattern, Publisher publisher) {
        return of(pattern, Transport.of(publisher));
    }

    /** How messages look on the wire. */
    public Route format(WireFormat format) {
        return new Route(pattern, transport, format, name, maxAttempts, backoff, onExhausted);
    }

    /** What the broker calls the destination: {@code shop.{destination}}, or one name for all of them. */
    public Route named(String name) {
        return new Route(pattern, transport, format, name, maxAttempts, backoff, onExhausted);
    }

    public Route maxAttempts(int attempts) {
        return new Route(pattern, transport, format, name, attempts, backoff, onExhausted);
    }

    public Route backoff(Backoff backoff) {
        return new Route(pattern, transport, format, name, maxAttempts, backoff, onExhausted);
    }

    public Route onExhausted(OnExhausted onExhausted) {
        return new Route(pattern, transport, format, name, maxAttempts, backoff, onExhausted);
    }

    Publishers.Line line() {
        return new Publishers.Line(transport, format);
    }

    /** The message as the broker gets it. */
    Envelope named(Envelope message) {
        return name.equals(DESTINATION)
                ? message
                : message.withDestination(name.replace(DESTINATION, message.destination()));
    }
}
