package io.waybill.inbox;

import io.waybill.message.Envelope;
import io.waybill.store.InboxEntry;
import io.waybill.transport.Delivery;
import io.waybill.transport.WireReader;
import org.jspecify.annotations.Nullable;

/**
 * A delivery that was looked at.
 *
 * @param work what its handler would do with it; null when it cannot be read
 * @param problem why it cannot be read; null when it can
 */
record Arrival(
        Envelope message,
        InboxEntry entry,
        Subscriber.@Nullable Work work,
        @Nullable Throwable problem) {

    static Arrival of(Delivery delivery, Subscriber subscriber) {
        Envelope envelope;
        try {
            envelope = WireReader.read(delivery);
        } catch (RuntimeException e) {
            Envelope unread = WireReader.unread(delivery);
            return new Arrival(unread, new InboxEntry(Retry.identity(unread), subscriber.name()), null, e);
        }
        Retry retry = Retry.in(envelope);
        InboxEntry entry = retry.entry(subscriber.name());
        try {
            return new Arrival(retry.original(), entry, subscriber.open(retry.original()), null);
        } catch (RuntimeException e) {
            return new Arrival(retry.original(), entry, null, e);
        }
    }

    String key() {
        return message.partitionKey();
    }
}
