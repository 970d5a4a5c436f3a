package io.waybill.server.relay;

import io.waybill.Time;
import io.waybill.WaybillException;
import io.waybill.jdbc.JdbcStore;
import io.waybill.jdbc.layout.AdoptedTable;
import io.waybill.jdbc.schema.JdbcStoreOptions;
import io.waybill.message.DestinationPattern;
import io.waybill.message.Envelope;
import io.waybill.server.config.RelayConfig;
import io.waybill.server.database.DatabaseErrors;
import io.waybill.server.database.Pools;
import io.waybill.store.outbox.Claim;
import io.waybill.store.outbox.ClaimedMessage;
import io.waybill.store.outbox.ClaimedMessage.State;
import io.waybill.store.outbox.Lane;
import io.waybill.transport.Deadline;
import io.waybill.transport.NdjsonTransport;
import io.waybill.transport.wire.WireFormat;
import java.io.ByteArrayOutputStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import javax.sql.DataSource;

/** Prints what would be sent next, and touches nothing: no lease, no claim, no table is created. */
final class DryRun {

    /** Of each destination. */
    private static final int MAX_SHOWN = 1_000;

    private final RelayConfig config;

    DryRun(RelayConfig config) {
        this.config = config;
    }

    int run(PrintWriter out, PrintWriter err) {
        for (RelayConfig.Source source : config.sources()) {
            Claim next = next(source);
            List<ClaimedMessage> routed = next.messages().stream()
                    .filter(message -> hasRoute(source, message.envelope()))
                    .toList();
            List<Envelope> sendable = routed.stream()
                    .filter(ClaimedMessage::isSendable)
                    .map(ClaimedMessage::envelope)
                    .toList();
            var lines = new ByteArrayOutputStream();
            var transport = NdjsonTransport.to(lines);
            transport.publisher("dry-run", WireFormat.PLAIN).publish(sendable, Deadline.NEVER);
            out.print(lines.toString(StandardCharsets.UTF_8));
            out.flush();
            routed.stream()
                    .filter(message -> !message.isSendable())
                    .forEach(message -> err.println("waybill: " + source.name() + ": the message " + message.label()
                            + " would fail: " + message.problem()));
            err.println("waybill: " + source.name() + ": " + sendable.size() + " messages would be sent, at most "
                    + MAX_SHOWN + " of each destination are shown"
                    + (next.cut() ? " and not more than " + maxBytes(source) + " bytes of payloads" : "") + "; "
                    + (next.messages().size() - routed.size()) + " have no route.");
        }
        err.flush();
        return 0;
    }

    private boolean hasRoute(RelayConfig.Source source, Envelope message) {
        return config.of(source).stream()
                .anyMatch(destination ->
                        DestinationPattern.of(destination.match()).matches(message.destination()));
    }

    private static Claim next(RelayConfig.Source source) {
        try (var pool = Pools.connected(source.database())) {
            return source.layout().isPresent()
                    ? AdoptedTable.peek(pool, source.layout().get(), MAX_SHOWN, source.maxPayload(), maxBytes(source))
                    : ofOwnTables(source, pool);
        } catch (SQLException e) {
            throw DatabaseErrors.explained(source.database(), e);
        } catch (WaybillException e) {
            throw DatabaseErrors.explained(source.database(), e);
        }
    }

    /** What is shown is in memory all at once. */
    private static long maxBytes(RelayConfig.Source source) {
        return Math.min(source.relay().batchBytes(), source.maxPayload());
    }

    /** A claim of Waybill's own tables writes nothing. */
    private static Claim ofOwnTables(RelayConfig.Source source, DataSource pool) {
        var options = JdbcStoreOptions.DEFAULT.withPrefix(source.prefix()).withMaxPayload(source.maxPayload());
        var store = JdbcStore.on(pool, options, Time.system()).outboxStore();
        Set<Lane> lanes = store.lanes();
        Map<String, Long> share =
                lanes.stream().collect(Collectors.groupingBy(Lane::destination, Collectors.counting()));
        Map<Lane, Integer> limits = lanes.stream().collect(Collectors.toMap(lane -> lane, lane ->
                (int) Math.max(1, MAX_SHOWN / share.getOrDefault(lane.destination(), 1L))));
        Claim claim = store.claim(limits, maxBytes(source));
        return new Claim(
                claim.messages().stream()
                        .filter(message -> message.state() != State.BLOCKED)
                        .toList(),
                claim.cut());
    }
}
