package io.waybill.inbox.receive;

import io.waybill.inbox.Inbox;
import io.waybill.inbox.Retry;
import io.waybill.message.Envelope;
import io.waybill.message.UuidV7;
import io.waybill.store.inbox.InboxEntry;
import io.waybill.store.inbox.WaitingKeys;
import io.waybill.store.outbox.OutboxStore;
import io.waybill.transport.Delivery;
import io.waybill.transport.Receiver;
import io.waybill.transport.WireReader;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Takes messages from a broker into the database, a batch in one cheap commit, and leaves the handling for later: the handler takes them
 * from the outbox like any message of this process. What nobody can read waits for its turn there too: put among the failed ones at once
 * it would park what waits before it. A receiver that does not store first, in another process or after the next start, finds that every key
 * waits, and stores behind these too.
 *
 * <p><i>Threads:</i> safe. <i>Transaction:</i> one for the inbox rows and the messages of a batch.
 *
 * @param destination where the handler takes them
 */
record StoreFirstReceiver(
        Inbox inbox,
        OutboxStore outbox,
        WaitingKeys waiting,
        String destination,
        String handler,
        InboxNotifier notifier)
        implements Receiver {

    @Override
    public void receive(List<Delivery> batch) {
        notifier.notifyListener(listener -> listener.received(handler, batch.size()));
        inbox.transactions().inTransaction(transaction -> {
            Map<InboxEntry, Envelope> messages = new LinkedHashMap<>();
            Map<InboxEntry, RuntimeException> unreadable = new LinkedHashMap<>();
            for (Delivery delivery : batch) {
                read(delivery, messages, unreadable);
            }
            messages.keySet().retainAll(inbox.store().record(transaction, messages.keySet()));
            var stored = new ArrayList<Envelope>();
            messages.forEach((entry, message) -> {
                Envelope later = Retry.stored(message, handler, destination, UuidV7.SYSTEM.get());
                RuntimeException problem = unreadable.get(entry);
                stored.add(problem == null ? later : Retry.unreadable(later, problem));
            });
            if (stored.stream().anyMatch(Envelope::isOrdered)) {
                waiting.addAll(transaction, destination);
            }
            outbox.append(transaction, stored);
            return stored.size();
        });
    }

    private void read(
            Delivery delivery, Map<InboxEntry, Envelope> messages, Map<InboxEntry, RuntimeException> unreadable) {
        try {
            Retry retry = Retry.in(WireReader.read(delivery));
            messages.put(retry.entry(handler), retry.original());
        } catch (RuntimeException e) {
            Envelope unread = WireReader.unread(delivery);
            var entry = new InboxEntry(Retry.identity(unread), handler);
            messages.put(entry, unread);
            unreadable.put(entry, e);
        }
    }
}
