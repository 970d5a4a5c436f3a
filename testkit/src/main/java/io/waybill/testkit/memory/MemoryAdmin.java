package io.waybill.testkit.memory;

import io.waybill.message.Envelope;
import io.waybill.message.Payload;
import io.waybill.store.admin.DestinationStats;
import io.waybill.store.admin.OutboxAdmin;
import io.waybill.store.admin.OutboxStatus;
import io.waybill.store.admin.Selection;
import io.waybill.store.admin.StoredMessage;
import io.waybill.store.outbox.Key;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.stream.Stream;

/** The operator's side of a {@link MemoryStore}, under the same lock. */
final class MemoryAdmin implements OutboxAdmin {

    private final MemoryStore store;

    MemoryAdmin(MemoryStore store) {
        this.store = store;
    }

    @Override
    public List<DestinationStats> stats() {
        synchronized (store) {
            var byDestination = new TreeMap<String, DestinationStats>();
            store.outbox.values().stream()
                    .map(MemoryAdmin::stored)
                    .filter(message -> message.status().isOpen())
                    .map(message -> DestinationStats.of(
                            message.envelope().destination(),
                            message.status(),
                            1,
                            message.attempts(),
                            message.attempts(),
                            message.createdAt()))
                    .forEach(stats -> byDestination.merge(stats.destination(), stats, DestinationStats::plus));
            return List.copyOf(byDestination.values());
        }
    }

    @Override
    public List<StoredMessage> list(Selection selection, long after, int limit) {
        synchronized (store) {
            return everything()
                    .filter(row -> matches(selection, stored(row)) && row.position > after)
                    .limit(limit)
                    .map(row -> withoutPayload(stored(row)))
                    .toList();
        }
    }

    private static StoredMessage withoutPayload(StoredMessage message) {
        Envelope e = message.envelope();
        return new StoredMessage(
                message.position(),
                message.shard(),
                message.status(),
                message.attempts(),
                message.error(),
                message.availableAt(),
                message.createdAt(),
                message.dispatchedAt(),
                new Envelope(
                        e.id(),
                        e.category(),
                        e.type(),
                        e.destination(),
                        e.key(),
                        e.partitionKey(),
                        Payload.text(""),
                        e.headers()));
    }

    @Override
    public long lastPosition() {
        synchronized (store) {
            return everything().mapToLong(row -> row.position).max().orElse(0);
        }
    }

    @Override
    public long count(Selection selection) {
        synchronized (store) {
            return everything().filter(row -> matches(selection, stored(row))).count();
        }
    }

    @Override
    public Optional<StoredMessage> find(UUID id) {
        synchronized (store) {
            return everything()
                    .filter(row -> row.envelope.id().equals(id))
                    .map(MemoryAdmin::stored)
                    .findFirst();
        }
    }

    @Override
    public Batch replay(Selection selection, long after, int limit) {
        synchronized (store) {
            List<MemoryRow> found = store.outbox.tailMap(after, false).values().stream()
                    .filter(row ->
                            matches(selection, stored(row)) && status(row).isReplayable())
                    .limit(limit)
                    .toList();
            return changed(found, after, limit, MemoryAdmin::replay);
        }
    }

    @Override
    public boolean replay(Envelope edited) {
        synchronized (store) {
            Optional<MemoryRow> found = store.outbox.values().stream()
                    .filter(row ->
                            row.envelope.id().equals(edited.id()) && status(row).isReplayable())
                    .findFirst();
            found.ifPresent(row -> {
                Key left = row.key();
                replay(row);
                row.envelope = edited;
                freeIfItWaitsFor(row, left);
            });
            return found.isPresent();
        }
    }

    @Override
    public Batch discard(Selection selection, String reason, long before, int limit) {
        synchronized (store) {
            Instant now = store.time.clock().instant();
            List<MemoryRow> found = store.outbox.headMap(before, false).descendingMap().values().stream()
                    .filter(row ->
                            matches(selection, stored(row)) && status(row).isOpen())
                    .limit(limit)
                    .toList();
            return changed(found, before, limit, row -> {
                row.error = reason;
                row.end("DISCARDED", now);
            });
        }
    }

    @Override
    public boolean unblock(String destination, String partitionKey) {
        synchronized (store) {
            var key = new Key(destination, partitionKey);
            UUID first = store.blocked.get(key);
            if (first == null) {
                return false;
            }
            store.outbox.values().stream()
                    .filter(row -> row.envelope.id().equals(first))
                    .forEach(MemoryAdmin::replay);
            store.free(key);
            return true;
        }
    }

    static StoredMessage stored(MemoryRow row) {
        return new StoredMessage(
                row.position,
                row.shard,
                status(row),
                row.attempts,
                row.error,
                row.availableAt,
                row.createdAt,
                row.dispatchedAt,
                row.envelope);
    }

    private static OutboxStatus status(MemoryRow row) {
        OutboxStatus status = OutboxStatus.valueOf(row.status);
        return status == OutboxStatus.PENDING && row.availableAt != null ? OutboxStatus.WAITING : status;
    }

    private Batch changed(List<MemoryRow> found, long from, int limit, Consumer<MemoryRow> change) {
        found.forEach(change);
        found.forEach(row -> freeIfItWaitsFor(row, row.key()));
        long position = found.isEmpty() ? from : found.get(found.size() - 1).position;
        return new Batch(found.size(), position, found.size() == limit);
    }

    private static void replay(MemoryRow row) {
        row.status = "PENDING";
        row.attempts = 0;
        row.availableAt = null;
    }

    private void freeIfItWaitsFor(MemoryRow row, Key key) {
        if (row.envelope.id().equals(store.blocked.get(key))) {
            store.free(key);
        }
    }

    private Stream<MemoryRow> everything() {
        return Stream.concat(store.outbox.values().stream(), store.dispatched.values().stream())
                .sorted(Comparator.comparing(row -> row.position));
    }

    private boolean matches(Selection selection, StoredMessage message) {
        Envelope envelope = message.envelope();
        Instant latest = store.time.clock().instant().minus(selection.olderThan());
        String error = message.error() == null ? "" : message.error();
        return (selection.ids().isEmpty() || selection.ids().contains(envelope.id()))
                && (selection.statuses().isEmpty() || selection.statuses().contains(message.status()))
                && selection.idRange().stream().allMatch(range -> range.contains(envelope.id()))
                && isOrAny(selection.destination(), envelope.destination())
                && isOrAny(selection.type(), envelope.type())
                && isOrAny(selection.partitionKey(), envelope.partitionKey())
                && error.toLowerCase(Locale.ROOT).contains(selection.error().toLowerCase(Locale.ROOT))
                && !message.createdAt().isAfter(latest);
    }

    private static boolean isOrAny(String wanted, String value) {
        return wanted.isEmpty() || wanted.equals(value);
    }
}
