package io.waybill.ops;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.toList;

import io.waybill.inbox.Retry;
import io.waybill.message.UuidV7;
import io.waybill.store.Transaction;
import io.waybill.store.failed.FailedMessage;
import io.waybill.store.failed.FailedSelection;
import io.waybill.store.failed.ParkedKey;
import io.waybill.store.failed.ParkedStore;
import io.waybill.store.outbox.OutboxStore;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.UUID;

/**
 * Retries messages behind which others of their key wait. They are put on their way in the order of their key and stay where they are until
 * they are handled. A message with an earlier one before it that is neither on its way nor retried too is refused.
 */
record ParkedRetries(ParkedStore parked, OutboxStore outbox, String note) {

    /** Puts those on their way that may go; returns how many are. */
    int start(Transaction transaction, FailedSelection selection, List<FailedMessage> messages) {
        var sent = new ArrayList<FailedMessage>();
        int onTheirWay = 0;
        var byKey = messages.stream().collect(groupingBy(ParkedKey::of, LinkedHashMap::new, toList()));
        for (var of : byKey.entrySet()) {
            boolean anew = endFirst(transaction, of.getKey(), selection);
            List<FailedMessage> waiting = of.getValue().stream()
                    .filter(message -> anew || !message.isOnItsWay())
                    .toList();
            onTheirWay += of.getValue().size() - waiting.size();
            sent.addAll(beginning(transaction, of.getKey(), waiting));
        }
        send(transaction, sent);
        return onTheirWay + sent.size();
    }

    /** The first message of a key that is on its way goes anew when it is asked for by its id: what it was sent with may be lost. */
    private boolean endFirst(Transaction transaction, ParkedKey key, FailedSelection selection) {
        boolean anew = !selection.ids().isEmpty()
                && parked.lock(transaction, key, 1).stream()
                        .anyMatch(first -> first.isOnItsWay() && selection.ids().contains(first.id()));
        if (anew) {
            parked.endRetries(transaction, key);
        }
        return anew;
    }

    /** Those of the messages before which nothing waits that is not one of them. */
    private List<FailedMessage> beginning(Transaction transaction, ParkedKey key, List<FailedMessage> waiting) {
        if (waiting.isEmpty()) {
            return waiting;
        }
        List<Long> order = parked.waiting(transaction, key, waiting.size());
        int next = 0;
        while (next < order.size() && order.get(next) == waiting.get(next).id()) {
            next++;
        }
        return waiting.subList(0, next);
    }

    private void send(Transaction transaction, List<FailedMessage> messages) {
        if (messages.isEmpty()) {
            return;
        }
        UUID retry = UuidV7.SYSTEM.get();
        parked.startRetry(
                transaction, retry, messages.stream().map(FailedMessage::id).toList(), note);
        outbox.append(
                transaction,
                messages.stream()
                        .map(message -> Retry.ofParked(message, retry, UuidV7.SYSTEM.get()))
                        .toList());
    }
}
