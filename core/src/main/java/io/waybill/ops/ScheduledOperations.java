package io.waybill.ops;

import io.waybill.WaybillException;
import io.waybill.store.admin.ScheduledAdmin;
import io.waybill.store.admin.ScheduledMessage;
import io.waybill.store.admin.ScheduledMessage.Position;
import io.waybill.store.admin.Selection;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.LongConsumer;

/**
 * What an operator does with messages that are scheduled for later.
 *
 * <p><i>Threads:</i> safe. <i>Transaction:</i> its own, one for each step.
 */
public final class ScheduledOperations {

    /** How many messages one page looks through for a filter: only their time has an index. */
    public static final int MAX_SEARCHED = 10_000;

    private static final int SEARCH_STEP = 2_500;
    private static final int DISCARD_STEP = 500;

    private final ScheduledAdmin store;

    public ScheduledOperations(ScheduledAdmin store) {
        this.store = store;
    }

    /** Which messages: those that match everything that is given. An empty set or text asks for nothing. */
    public record Filter(Set<UUID> ids, String destination, String type, String partitionKey) {

        /** Every message that is scheduled. */
        public static final Filter ALL = new Filter(Set.of(), "", "", "");

        public Filter {
            ids = Set.copyOf(ids);
            if (ids.size() > Selection.MAX_IDS) {
                throw new WaybillException("At most " + Selection.MAX_IDS + " ids can be given, not " + ids.size()
                        + ". Select by destination, type or key instead.");
            }
        }

        boolean matches(ScheduledMessage message) {
            return (ids.isEmpty() || ids.contains(message.envelope().id()))
                    && isOrAny(destination, message.envelope().destination())
                    && isOrAny(type, message.envelope().type())
                    && isOrAny(partitionKey, message.envelope().partitionKey());
        }

        private static boolean isOrAny(String wanted, String value) {
            return wanted.isEmpty() || wanted.equals(value);
        }
    }

    /**
     * Some messages, the next one to be appended first.
     *
     * @param next behind which the next page begins; nothing when there is none
     * @param searched how many messages were looked at
     */
    public record Page(List<ScheduledMessage> items, Optional<Position> next, int searched) {}

    /** A page of matching messages, without their payloads. At most {@value #MAX_SEARCHED} messages are searched for it. */
    public Page list(Filter filter, Position after, int limit) {
        if (!filter.ids().isEmpty()) {
            List<ScheduledMessage> found = find(filter);
            return new Page(found, Optional.empty(), found.size());
        }
        int step = filter.equals(Filter.ALL) ? limit : SEARCH_STEP;
        var items = new ArrayList<ScheduledMessage>();
        Position position = after;
        int searched = 0;
        boolean more;
        do {
            List<ScheduledMessage> some = store.list(position, step);
            more = some.size() == step;
            for (ScheduledMessage message : some) {
                if (items.size() == limit) {
                    return new Page(items, Optional.of(position), searched);
                }
                position = message.position();
                searched++;
                if (filter.matches(message)) {
                    items.add(message);
                }
            }
        } while (more && items.size() < limit && searched < MAX_SEARCHED);
        return new Page(items, more ? Optional.of(position) : Optional.empty(), searched);
    }

    public Optional<ScheduledMessage> find(UUID id) {
        return store.find(id);
    }

    /** How many messages match. */
    public long count(Filter filter) {
        long count = 0;
        for (Page page = page(filter, Position.START); ; page = page(filter, page.next.orElseThrow())) {
            count += page.items.size();
            if (page.next.isEmpty()) {
                return count;
            }
        }
    }

    /** Publishes a message now: the next relay appends it to the outbox. */
    public void publish(UUID id) {
        if (store.makeDue(List.of(id)) == 0) {
            throw new WaybillException(
                    "Message " + id + " is not scheduled any more: a relay has appended it to the outbox"
                            + " when it was due, or somebody has discarded it. Look for it with 'waybill outbox show "
                            + id + "'.");
        }
    }

    /**
     * Discards what matches. It stays in the outbox as discarded, with the reason, until the cleanup.
     *
     * @param progress is called after every step with how many have been discarded
     * @return how many were discarded
     */
    public long discard(Filter filter, String reason, LongConsumer progress) {
        if (reason.isBlank()) {
            throw new WaybillException("Discarding messages needs a reason: say why nobody needs them.");
        }
        long discarded = 0;
        for (Page page = page(filter, Position.START); ; page = page(filter, page.next.orElseThrow())) {
            discarded += store.discard(
                    page.items.stream().map(message -> message.envelope().id()).toList(), reason);
            progress.accept(discarded);
            if (page.next.isEmpty()) {
                return discarded;
            }
        }
    }

    private Page page(Filter filter, Position after) {
        return list(filter, after, DISCARD_STEP);
    }

    private List<ScheduledMessage> find(Filter filter) {
        return filter.ids().stream()
                .flatMap(id -> store.find(id).stream())
                .filter(filter::matches)
                .sorted((one, other) -> one.dueAt().compareTo(other.dueAt()))
                .toList();
    }
}
