package io.waybill.ops;

import io.waybill.WaybillException;
import io.waybill.inbox.Retry;
import io.waybill.store.IdRange;
import io.waybill.store.admin.OutboxAdmin;
import io.waybill.store.admin.OutboxStatus;
import io.waybill.store.admin.Selection;
import io.waybill.store.admin.StoredMessage;
import io.waybill.store.failed.FailedMessage;
import io.waybill.store.failed.FailedSelection;
import io.waybill.store.failed.FailedState;
import io.waybill.store.failed.FailedStore;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/**
 * Everything that could not be handled or published and is not given up: the failed messages, and those of the outbox that are tried again
 * by themselves.
 *
 * <p><i>Threads:</i> safe. <i>Transaction:</i> each look its own.
 */
public final class FailedOverview {

    private static final int STEP = 500;

    private static final int MAX_LOOKED_THROUGH = 10_000;

    private static final Selection REFUSED = Selection.of(OutboxStatus.WAITING);

    private final FailedStore failed;
    private final OutboxAdmin outbox;

    public FailedOverview(FailedStore failed, OutboxAdmin outbox) {
        this.failed = failed;
        this.outbox = outbox;
    }

    /**
     * A page of matching messages: the failed ones in the order in which they failed, then those of the outbox in the order in which they
     * were appended.
     *
     * @param states which ones; none asks for all
     * @param after the id of the last message of the page before; empty for the first page
     */
    public List<FailedEntry> list(FailedSelection selection, Set<FailedState> states, String after, int limit) {
        var page = new ArrayList<FailedEntry>();
        boolean inOutbox = isUuid(after);
        if (!inOutbox) {
            addFailed(selection, states, after.isEmpty() ? 0 : number(after), limit, page);
        }
        if (states.isEmpty() || states.contains(FailedState.RETRYING)) {
            addRetrying(selection, inOutbox ? position(after) : 0, limit, page);
        }
        return page;
    }

    /** How many messages of the outbox were refused and are tried again by themselves. */
    public long countRetrying() {
        return outbox.count(REFUSED);
    }

    /** Whether this is an id that {@link #find} takes. */
    public boolean isId(String text) {
        return isNumber(text)
                || (isUuid(text) && outbox.find(UUID.fromString(text)).isPresent());
    }

    /** Messages whose own id, or the id of whose row, begins like this text, or whose key it is. Looks through the first 10,000. */
    public List<FailedEntry> about(String text, int limit) {
        Optional<IdRange> range = IdRange.ofPrefix(text);
        return list(FailedSelection.all(), Set.of(), "", MAX_LOOKED_THROUGH).stream()
                .filter(entry -> entry.message().message().partitionKey().equals(text)
                        || range.stream()
                                .anyMatch(ids ->
                                        ids.contains(entry.message().message().id())
                                                || (entry.isInOutbox() && ids.contains(UUID.fromString(entry.id())))))
                .limit(limit)
                .toList();
    }

    /** The message with its payload; none when it was handled, published or discarded meanwhile. */
    public Optional<FailedEntry> find(String id) {
        return isUuid(id)
                ? outbox.find(UUID.fromString(id))
                        .filter(stored -> stored.status() == OutboxStatus.WAITING)
                        .map(FailedEntry::of)
                : failed.find(number(id)).map(FailedEntry::of);
    }

    /** The same, or an error that says that there is none. */
    public FailedEntry show(String id) {
        return find(id).orElseThrow(() -> new WaybillException("There is no failed message " + id
                + ", and none that is being retried. It may have been handled, or another operator may have retried or"
                + " discarded it."));
    }

    private void addFailed(
            FailedSelection selection, Set<FailedState> states, long start, int limit, List<FailedEntry> page) {
        long after = start;
        List<FailedMessage> some;
        do {
            some = page.size() < limit ? failed.list(selection, after, STEP) : List.of();
            for (FailedMessage message : some) {
                after = message.id();
                if (page.size() < limit && (states.isEmpty() || states.contains(message.state()))) {
                    page.add(FailedEntry.of(message));
                }
            }
        } while (some.size() == STEP);
    }

    private void addRetrying(FailedSelection selection, long start, int limit, List<FailedEntry> page) {
        long after = start;
        List<StoredMessage> some;
        do {
            some = page.size() < limit ? outbox.list(REFUSED, after, STEP) : List.of();
            for (StoredMessage stored : some) {
                after = stored.position();
                // One that keeps the place of its key is among the failed messages as well.
                if (page.size() < limit && !Retry.in(stored.envelope()).isOfParked()) {
                    Optional.of(FailedEntry.of(stored))
                            .filter(entry -> entry.matches(selection))
                            .ifPresent(page::add);
                }
            }
        } while (some.size() == STEP);
    }

    private long position(String id) {
        return outbox.find(UUID.fromString(id))
                .map(StoredMessage::position)
                .orElseThrow(() -> new WaybillException(
                        "Message " + id + " is not in the outbox any more. Begin with the first page."));
    }

    private static boolean isUuid(String id) {
        return id.matches("[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}");
    }

    private static boolean isNumber(String id) {
        return id.matches("[0-9]{1,18}");
    }

    private static long number(String id) {
        if (!isNumber(id)) {
            throw new WaybillException(
                    "'" + id + "' is not the id of a failed message: 'waybill failed list' shows them, as 4711 or"
                            + " 0190c5a4-7b1e-7c3d-8e2f-1a2b3c4d5e6f.");
        }
        return Long.parseLong(id);
    }
}
