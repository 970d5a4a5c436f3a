package io.waybill.relay.route;

import io.waybill.message.Envelope;
import io.waybill.store.Transaction;
import io.waybill.store.Transactions;
import io.waybill.transport.Transport;
import io.waybill.transport.wire.WireFormat;
import java.time.Duration;
import java.util.Optional;
import java.util.function.BiPredicate;
import java.util.function.Consumer;

/** Where a route leads. */
public sealed interface RouteTarget {

    /**
     * To a broker.
     *
     * @param name what the broker calls the destination; {@code {destination}} stands for the destination
     */
    record Sent(Transport transport, WireFormat format, String name) implements RouteTarget {

        static final String DESTINATION = "{destination}";

        /** The message as the broker gets it. */
        public Envelope named(Envelope message) {
            return name.equals(DESTINATION) ? message : message.withDestination(named(message.destination()));
        }

        /** The line on which messages of this destination go. One whose name the transport cannot use has a line of its own. */
        public PublisherPool.Line line(String destination) {
            String line;
            try {
                line = transport.lineTo(named(destination));
            } catch (RuntimeException e) {
                line = destination;
            }
            return new PublisherPool.Line(transport, format, line);
        }

        private String named(String destination) {
            return name.replace(DESTINATION, destination);
        }
    }

    /**
     * To a handler in this process.
     *
     * @param transactions in which it runs
     * @param exhausted what becomes of a message that was tried often enough, instead of staying in the outbox as failed
     * @param hopeless which messages need not be tried again after this error
     * @param retried is called for attempts that failed and are repeated
     * @param kept whether the outbox keeps what was handled for as long as it keeps what was sent
     */
    record Handled(
            Transactions transactions,
            LocalHandler handler,
            Optional<Exhausted> exhausted,
            BiPredicate<Envelope, Throwable> hopeless,
            Consumer<FailedAttempt> retried,
            boolean kept)
            implements RouteTarget {}

    /** To the handler of the destination in this process, and past all brokers. {@code local:} in a table of routes. */
    record Here() implements RouteTarget {}

    /**
     * An attempt of a handler that failed and is repeated.
     *
     * @param attempt the number of this one
     * @param delay until the next one
     */
    record FailedAttempt(Envelope message, int attempt, int maxAttempts, Duration delay, Throwable error) {}

    /** Keeps a message that its handler could not handle. */
    @FunctionalInterface
    interface Exhausted {

        /** Records the failure, in the transaction that takes the message out of the outbox. */
        void put(Envelope message, int attempts, Throwable error, Transaction transaction);
    }
}
