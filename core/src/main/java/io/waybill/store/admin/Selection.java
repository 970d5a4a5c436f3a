package io.waybill.store.admin;

import io.waybill.WaybillException;
import io.waybill.store.IdRange;
import java.time.Duration;
import java.util.Collection;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Which messages of the outbox: those that match everything that is given. An empty set, an empty text or a zero duration
 * asks for nothing.
 *
 * <pre>{@code
 * Selection.failed().to("orders.placed").withError("timeout").olderThan(Duration.ofHours(1))
 * }</pre>
 *
 * @param error a part of the last error, in upper or lower case
 * @param errorGroup the {@link #errorGroup(String) group} of the last error
 * @param olderThan appended at least this long ago
 * @param retried whether only those that an operator has published again before
 */
public record Selection(
        Set<UUID> ids,
        Optional<IdRange> idRange,
        Set<OutboxStatus> statuses,
        String destination,
        String type,
        String partitionKey,
        String error,
        String errorGroup,
        Duration olderThan,
        boolean retried) {

    /** More ids than this are better said by what the messages have in common. */
    public static final int MAX_IDS = 10_000;

    /** How many characters of an error tell groups apart. */
    public static final int ERROR_GROUP_LENGTH = 200;

    /** The group of messages without an error. */
    public static final String NO_ERROR = "(no error)";

    public Selection {
        ids = Set.copyOf(ids);
        statuses = Set.copyOf(statuses);
        if (ids.size() > MAX_IDS) {
            throw new WaybillException("A selection takes at most " + MAX_IDS + " ids, not " + ids.size()
                    + ". Select by status, destination, type, error or age instead.");
        }
        if (olderThan.isNegative()) {
            throw new WaybillException("The age (" + olderThan + ") is negative. Leave it out to select any age.");
        }
    }

    /** Every message there is. */
    public static Selection all() {
        return new Selection(Set.of(), Optional.empty(), Set.of(), "", "", "", "", "", Duration.ZERO, false);
    }

    /** Messages of any of these statuses. */
    public static Selection of(OutboxStatus first, OutboxStatus... more) {
        return all().withStatuses(EnumSet.of(first, more));
    }

    public static Selection failed() {
        return of(OutboxStatus.FAILED);
    }

    /** These messages. No ids are refused, because a selection that asks for nothing is everything. */
    public static Selection of(Collection<UUID> ids) {
        if (ids.isEmpty()) {
            throw new WaybillException("The selection has no ids. Give at least one, or use Selection.all().");
        }
        return new Selection(Set.copyOf(ids), Optional.empty(), Set.of(), "", "", "", "", "", Duration.ZERO, false);
    }

    /** Messages whose ids are in this range. */
    public Selection in(IdRange range) {
        return new Selection(
                ids,
                Optional.of(range),
                statuses,
                destination,
                type,
                partitionKey,
                error,
                errorGroup,
                olderThan,
                retried);
    }

    public Selection withStatuses(Set<OutboxStatus> statuses) {
        return new Selection(
                ids, idRange, statuses, destination, type, partitionKey, error, errorGroup, olderThan, retried);
    }

    public Selection to(String destination) {
        return new Selection(
                ids, idRange, statuses, destination, type, partitionKey, error, errorGroup, olderThan, retried);
    }

    public Selection ofType(String type) {
        return new Selection(
                ids, idRange, statuses, destination, type, partitionKey, error, errorGroup, olderThan, retried);
    }

    public Selection inOrderOf(String partitionKey) {
        return new Selection(
                ids, idRange, statuses, destination, type, partitionKey, error, errorGroup, olderThan, retried);
    }

    public Selection withError(String part) {
        return new Selection(
                ids, idRange, statuses, destination, type, partitionKey, part, errorGroup, olderThan, retried);
    }

    /** Messages whose last errors begin with exactly this, as a group of failures names it. */
    public Selection inErrorGroup(String group) {
        return new Selection(ids, idRange, statuses, destination, type, partitionKey, error, group, olderThan, retried);
    }

    /** What groups an error with others: its first {@value #ERROR_GROUP_LENGTH} characters, or {@value #NO_ERROR}. */
    public static String errorGroup(@Nullable String error) {
        if (error == null || error.isEmpty()) {
            return NO_ERROR;
        }
        return error.codePointCount(0, error.length()) <= ERROR_GROUP_LENGTH
                ? error
                : error.substring(0, error.offsetByCodePoints(0, ERROR_GROUP_LENGTH));
    }

    /** Whether a message with this error is in the group, or no group is asked for. */
    public boolean includesError(@Nullable String lastError) {
        return errorGroup.isEmpty() || errorGroup.equals(errorGroup(lastError));
    }

    public Selection olderThan(Duration age) {
        return new Selection(ids, idRange, statuses, destination, type, partitionKey, error, errorGroup, age, retried);
    }

    /** Those among them that an operator has published again before: one that has failed then failed again. */
    public Selection thatWereRetried() {
        return new Selection(
                ids, idRange, statuses, destination, type, partitionKey, error, errorGroup, olderThan, true);
    }
}
