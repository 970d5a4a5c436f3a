package io.waybill.store.failed;

import io.waybill.WaybillException;
import io.waybill.store.admin.Selection;
import java.util.Collection;
import java.util.Locale;
import java.util.Set;

/**
 * Which failed messages: those that match everything that is given. An empty set or text asks for nothing.
 *
 * @param fingerprint the beginning of a group's fingerprint
 * @param error a part of the error, in upper or lower case
 * @param failedAgain whether only those that failed again after an operator had retried them
 */
public record FailedSelection(
        Set<Long> ids,
        String fingerprint,
        String source,
        String handler,
        String type,
        String partitionKey,
        String error,
        boolean failedAgain) {

    public FailedSelection {
        ids = Set.copyOf(ids);
        if (ids.size() > Selection.MAX_IDS) {
            throw new WaybillException("A selection takes at most " + Selection.MAX_IDS + " ids, not " + ids.size()
                    + ". Select by group, source, handler, type or error instead.");
        }
        if (!fingerprint.matches("[0-9a-f]{0,16}")) {
            throw new WaybillException(
                    "'" + fingerprint + "' is not a group: groups are named by hexadecimal digits, as"
                            + " 'waybill failed groups' shows them.");
        }
    }

    /** Whether a message is one of them, for stores that do not ask a database. */
    public boolean matches(FailedMessage message) {
        return (ids.isEmpty() || ids.contains(message.id()))
                && message.cause().fingerprint().startsWith(fingerprint)
                && isOrAny(source, message.source())
                && isOrAny(handler, message.handler())
                && isOrAny(type, message.message().type())
                && isOrAny(partitionKey, message.message().partitionKey())
                && (!failedAgain || message.hasFailedAgain())
                && message.cause().error().toLowerCase(Locale.ROOT).contains(error.toLowerCase(Locale.ROOT));
    }

    private static boolean isOrAny(String wanted, String value) {
        return wanted.isEmpty() || wanted.equals(value);
    }

    /** Every failed message. */
    public static FailedSelection all() {
        return new FailedSelection(Set.of(), "", "", "", "", "", "", false);
    }

    /** These messages. No ids are refused, because a selection that asks for nothing is everything. */
    public static FailedSelection of(Collection<Long> ids) {
        if (ids.isEmpty()) {
            throw new WaybillException("The selection has no ids. Give at least one, or use FailedSelection.all().");
        }
        return new FailedSelection(Set.copyOf(ids), "", "", "", "", "", "", false);
    }

    public FailedSelection inGroup(String fingerprint) {
        return new FailedSelection(ids, fingerprint, source, handler, type, partitionKey, error, failedAgain);
    }

    public FailedSelection from(String source) {
        return new FailedSelection(ids, fingerprint, source, handler, type, partitionKey, error, failedAgain);
    }

    public FailedSelection notHandledBy(String handler) {
        return new FailedSelection(ids, fingerprint, source, handler, type, partitionKey, error, failedAgain);
    }

    public FailedSelection ofType(String type) {
        return new FailedSelection(ids, fingerprint, source, handler, type, partitionKey, error, failedAgain);
    }

    public FailedSelection inOrderOf(String partitionKey) {
        return new FailedSelection(ids, fingerprint, source, handler, type, partitionKey, error, failedAgain);
    }

    public FailedSelection withError(String part) {
        return new FailedSelection(ids, fingerprint, source, handler, type, partitionKey, part, failedAgain);
    }

    /** Those among them that failed again after an operator had retried them. */
    public FailedSelection thatFailedAgain() {
        return new FailedSelection(ids, fingerprint, source, handler, type, partitionKey, error, true);
    }
}
