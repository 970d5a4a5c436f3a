package io.waybill.server.config;

import io.waybill.Backoff;
import io.waybill.jdbc.layout.AdoptedTable;
import io.waybill.jdbc.layout.table.Layout;
import io.waybill.relay.route.RelayOptions;
import io.waybill.relay.route.Route;
import io.waybill.server.database.DatabaseUrl;
import io.waybill.store.outbox.OnExhausted;
import io.waybill.transport.Transport;
import io.waybill.transport.TransportUrl;
import io.waybill.transport.wire.WireFormat;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * What a relay service does: from which tables messages come, and where they go.
 *
 * @param console how its console is served; nothing when it has none
 */
public record RelayConfig(List<Source> sources, List<Destination> destinations, Optional<ConsoleSettings> console) {

    /** The destinations that get messages of this source, in their order: the first that matches is taken. */
    public List<Destination> of(Source source) {
        return destinations.stream()
                .filter(destination ->
                        destination.sources().isEmpty() || destination.sources().contains(source.name()))
                .toList();
    }

    /** The files in which secrets of brokers are kept. */
    List<Path> secretFiles() {
        return destinations.stream()
                .flatMap(destination -> TransportUrl.parse(destination.to()).secretFiles().stream())
                .distinct()
                .toList();
    }

    /** Every destination as some source has it. */
    public Set<Destination> served() {
        return sources.stream().flatMap(source -> of(source).stream()).collect(Collectors.toSet());
    }

    /**
     * A table.
     *
     * @param layout nothing for Waybill's own tables
     * @param setup what may be created
     * @param prefix of Waybill's own tables
     * @param pool which relays share the work
     * @param maxPayload how many bytes the payload of a message may have
     * @param unorderedIds whether a database with several primaries is accepted
     * @param relay how its relay works
     */
    public record Source(
            String name,
            DatabaseUrl database,
            Optional<Layout> layout,
            AdoptedTable.Setup setup,
            String prefix,
            String pool,
            Duration retention,
            long maxPayload,
            boolean unorderedIds,
            RelayOptions relay) {

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
     * @param backoff how long a refused message waits, where it is not as usual for its source
     * @param requiredQueues queues that must be there at start, where the broker is one of JMS
     * @param sources only messages of these; of all when there are none
     */
    public record Destination(
            String match,
            String to,
            String name,
            WireFormat format,
            int maxAttempts,
            Optional<Backoff> backoff,
            OnExhausted onExhausted,
            List<String> requiredQueues,
            Set<String> sources) {

        static Destination everything(String to, WireFormat format) {
            return new Destination(
                    "**",
                    to,
                    "{destination}",
                    format,
                    Route.DEFAULT_MAX_ATTEMPTS,
                    Optional.empty(),
                    OnExhausted.PARK,
                    List.of(),
                    Set.of());
        }

        public Route route(Transport transport, Source source) {
            return Route.of(match, transport)
                    .named(name)
                    .format(format)
                    .maxAttempts(maxAttempts)
                    .backoff(backoff.orElseGet(source::backoff))
                    .onExhausted(onExhausted);
        }
    }
}
