package io.waybill.server;

import io.waybill.jdbc.layout.AdoptedTable;
import io.waybill.jdbc.layout.Layout;
import io.waybill.relay.Backoff;
import io.waybill.relay.Route;
import io.waybill.store.OnExhausted;
import io.waybill.transport.Transport;
import io.waybill.transport.WireFormat;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** What a relay service does: from which tables messages come, and where they go. */
record RelayConfig(List<Source> sources, List<Destination> destinations) {

    /** The destinations that get messages of this source, in their order: the first that matches is taken. */
    List<Destination> of(Source source) {
        return destinations.stream()
                .filter(destination ->
                        destination.sources().isEmpty() || destination.sources().contains(source.name()))
                .toList();
    }

    /**
     * A table.
     *
     * @param layout nothing for Waybill's own tables
     * @param setup what may be created
     * @param prefix of Waybill's own tables
     * @param pool which relays share the work
     * @param poll how long an idle relay waits before it looks again
     */
    record Source(
            String name,
            DatabaseUrl database,
            Optional<Layout> layout,
            AdoptedTable.Setup setup,
            String prefix,
            String pool,
            Duration retention,
            Duration poll,
            int batchSize) {

        /** How long a refused message waits by default; in a table of the layout outbox-messages exactly as it says itself. */
        Backoff backoff() {
            boolean exact = layout.filter(known -> known.name().equals("outbox-messages"))
                    .isPresent();
            return exact ? new Backoff(Duration.ofSeconds(1), Duration.ofSeconds(60), 0) : Backoff.DEFAULT;
        }
    }

    /**
     * Where messages go.
     *
     * @param sources only messages of these; of all when there are none
     */
    record Destination(
            String match,
            String to,
            String name,
            WireFormat format,
            int maxAttempts,
            OnExhausted onExhausted,
            Set<String> sources) {

        static Destination everything(String to, WireFormat format) {
            return new Destination(
                    "**", to, "{destination}", format, Route.DEFAULT_MAX_ATTEMPTS, OnExhausted.PARK, Set.of());
        }

        Route route(Transport transport, Backoff backoff) {
            return Route.of(match, transport)
                    .named(name)
                    .format(format)
                    .maxAttempts(maxAttempts)
                    .backoff(backoff)
                    .onExhausted(onExhausted);
        }
    }
}
