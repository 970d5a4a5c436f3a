package io.waybill.testkit.memory;

import io.waybill.message.DestinationPattern;
import io.waybill.message.Envelope;
import io.waybill.message.Payload;
import io.waybill.store.AttemptLog;
import io.waybill.store.admin.DestinationStats;
import io.waybill.store.admin.OutboxAdmin;
import io.waybill.store.admin.OutboxStatus;
import io.waybill.store.admin.ScheduledAdmin;
import io.waybill.store.admin.ScheduledMessage;
import io.waybill.store.admin.Selection;
import io.waybill.store.admin.StoredMessage;
import io.waybill.store.outbox.Key;
import io.waybill.store.outbox.PausedDestination;
import java.time.Instant;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
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
    public List<PausedDestination> paused() {
        synchronized (store) {
            return List.copyOf(store.paused.values());
        }
    }

    @Override
    public boolean pause(String destination, String reason, String operator) {
        synchronized (store) {
            Instant now = store.time.clock().instant();
            return store.paused.putIfAbsent(destination, new PausedDestination(destination, reason, operator, now))
                    == null;
        }
    }

    @Override
    public boolean resume(String destination) {
        synchronized (store) {
            return store.paused.remove(destination) != null;
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
                withoutPayload(e, e.headers()),
                message.retries(),
                AttemptLog.NONE);
    }

    private static Envelope withoutPayload(Envelope e, Map<String, String> headers) {
        return new Envelope(
                e.id(), e.category(), e.type(), e.destination(), e.key(), e.partitionKey(), Payload.text(""), headers);
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
    public Batch replay(Selection selection, String note, long after, int limit) {
        synchronized (store) {
            return changed(refused(selection, after, limit), after, limit, row -> replay(row, note));
        }
    }

    private List<MemoryRow> refused(Selection selection, long after, int limit) {
        return store.outbox.tailMap(after, false).values().stream()
                .filter(row -> matches(selection, stored(row)) && status(row).isReplayable())
                .limit(limit)
                .toList();
    }

    @Override
    public Batch redirect(Selection selection, String destination, String note, long after, int limit) {
        synchronized (store) {
            List<MemoryRow> found = refused(selection, after, limit);
            List<MemoryRow> ours = found.stream()
                    .filter(row -> !DestinationPattern.isReserved(row.envelope.destination()))
                    .toList();
            ours.forEach(row -> redirect(row, destination, note));
            long position = found.isEmpty() ? after : found.get(found.size() - 1).position;
            return new Batch(ours.size(), position, found.size() == limit);
        }
    }

    private void redirect(MemoryRow row, String destination, String note) {
        Key left = row.key();
        List<MemoryRow> behind = row.envelope.id().equals(store.blocked.get(left))
                ? store.outbox.values().stream()
                        .filter(held -> held.status.equals("HELD") && held.key().equals(left))
                        .toList()
                : List.of();
        freeIfItWaitsFor(row, left);
        replay(row, note);
        row.envelope = row.envelope.withDestination(destination);
        behind.forEach(held -> held.envelope = held.envelope.withDestination(destination));
    }

    @Override
    public boolean replay(Envelope edited, String note) {
        synchronized (store) {
            Optional<MemoryRow> found = store.outbox.values().stream()
                    .filter(row ->
                            row.envelope.id().equals(edited.id()) && status(row).isReplayable())
                    .findFirst();
            found.ifPresent(row -> {
                Key left = row.key();
                replay(row, note);
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
                row.attemptLog = row.attemptLog.plus(AttemptLog.changed(now, "discarded: " + reason));
                row.end("DISCARDED", now);
            });
        }
    }

    @Override
    public boolean unblock(String destination, String partitionKey, String note) {
        synchronized (store) {
            var key = new Key(destination, partitionKey);
            UUID first = store.blocked.get(key);
            if (first == null) {
                return false;
            }
            store.outbox.values().stream()
                    .filter(row -> row.envelope.id().equals(first))
                    .forEach(row -> replay(row, note));
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
                row.envelope,
                row.retries,
                row.attemptLog);
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

    private void replay(MemoryRow row, String note) {
        row.retries++;
        row.attemptLog =
                row.attemptLog.plus(AttemptLog.changed(store.time.clock().instant(), note));
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
        return (!selection.retried() || message.retries() > 0)
                && (selection.ids().isEmpty() || selection.ids().contains(envelope.id()))
                && (selection.statuses().isEmpty() || selection.statuses().contains(message.status()))
                && selection.idRange().stream().allMatch(range -> range.contains(envelope.id()))
                && isOrAny(selection.destination(), envelope.destination())
                && isOrAny(selection.type(), envelope.type())
                && isOrAny(selection.partitionKey(), envelope.partitionKey())
                && selection.includesError(error)
                && error.toLowerCase(Locale.ROOT).contains(selection.error().toLowerCase(Locale.ROOT))
                && !message.createdAt().isAfter(latest);
    }

    private static boolean isOrAny(String wanted, String value) {
        return wanted.isEmpty() || wanted.equals(value);
    }

    /** Messages for later. */
    record Scheduled(MemoryStore store) implements ScheduledAdmin {

        private static final Comparator<ScheduledMessage.Position> IN_TIME =
                Comparator.comparing(ScheduledMessage.Position::dueAt).thenComparing(ScheduledMessage.Position::id);

        @Override
        public List<ScheduledMessage> list(ScheduledMessage.Position after, int limit) {
            synchronized (store) {
                return store.scheduled.entrySet().stream()
                        .map(entry -> new ScheduledMessage(entry.getValue(), withoutPayload(entry.getKey(), Map.of())))
                        .filter(message -> IN_TIME.compare(message.position(), after) > 0)
                        .sorted(Comparator.comparing(ScheduledMessage::position, IN_TIME))
                        .limit(limit)
                        .toList();
            }
        }

        @Override
        public Optional<ScheduledMessage> find(UUID id) {
            synchronized (store) {
                return store.scheduled.entrySet().stream()
                        .filter(entry -> entry.getKey().id().equals(id))
                        .map(entry -> new ScheduledMessage(entry.getValue(), entry.getKey()))
                        .findFirst();
            }
        }

        @Override
        public int makeDue(Collection<UUID> ids) {
            synchronized (store) {
                List<Envelope> found = scheduled(ids);
                found.forEach(message ->
                        store.scheduled.put(message, store.time.clock().instant()));
                return found.size();
            }
        }

        @Override
        public int discard(Collection<UUID> ids, String reason) {
            synchronized (store) {
                List<Envelope> found = scheduled(ids);
                Instant now = store.time.clock().instant();
                found.forEach(message -> {
                    store.scheduled.remove(message);
                    MemoryRow row = store.newRow(message);
                    row.error = reason;
                    row.end("DISCARDED", now);
                    store.outbox.put(row.position, row);
                });
                return found.size();
            }
        }

        private List<Envelope> scheduled(Collection<UUID> ids) {
            return store.scheduled.keySet().stream()
                    .filter(message -> ids.contains(message.id()))
                    .toList();
        }
    }
}
