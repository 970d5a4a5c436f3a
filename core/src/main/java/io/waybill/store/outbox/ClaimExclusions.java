package io.waybill.store.outbox;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.mapping;
import static java.util.stream.Collectors.toSet;

import java.util.Collection;
import java.util.Map;
import java.util.Set;

/**
 * What the owner of the shards is working on and has not settled: a claim leaves it out, however long it takes.
 *
 * @param keys keys whose next message is being worked on
 * @param positions messages without a key
 * @param lanes the positions of all of them, with or without a key, by lane
 */
public record ClaimExclusions(Set<Key> keys, Set<Long> positions, Map<Lane, Set<Long>> lanes) {

    public static final ClaimExclusions NOTHING = new ClaimExclusions(Set.of(), Set.of(), Map.of());

    public static ClaimExclusions with(Collection<ClaimedMessage> messages) {
        return new ClaimExclusions(
                messages.stream()
                        .map(ClaimedMessage::envelope)
                        .filter(message -> message.isOrdered())
                        .map(Key::of)
                        .collect(toSet()),
                messages.stream()
                        .filter(message -> !message.envelope().isOrdered())
                        .map(ClaimedMessage::position)
                        .collect(toSet()),
                messages.stream()
                        .collect(groupingBy(ClaimedMessage::lane, mapping(ClaimedMessage::position, toSet()))));
    }

    public boolean isNothing() {
        return lanes.isEmpty();
    }

    public boolean includes(ClaimedMessage message) {
        return message.envelope().isOrdered()
                ? keys.contains(Key.of(message.envelope()))
                : positions.contains(message.position());
    }
}
