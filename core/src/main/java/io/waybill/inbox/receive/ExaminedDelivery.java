package io.waybill.inbox.receive;

import io.waybill.inbox.Retry;
import io.waybill.inbox.Subscriber;
import io.waybill.message.Envelope;
import io.waybill.store.inbox.InboxEntry;
import io.waybill.transport.Delivery;
import io.waybill.transport.WireReader;
import org.jspecify.annotations.Nullable;

/**
 * A delivery that was looked at.
 *
 * @param work what its handler would do with it; null when it cannot be read
 * @param problem why it cannot be read; null when it can
 */
record ExaminedDelivery(
        Envelope message,
        InboxEntry entry,
        Subscriber.@Nullable Work work,
        @Nullable Throwable problem) {

    static ExaminedDelivery of(Delivery delivery, Subscriber subscriber) {
        Envelope envelope;
        try {
            envelope = WireReader.read(delivery);
        } catch (RuntimeException e) {
            Envelope unread = WireReader.unread(delivery);
            return new ExaminedDelivery(unread, new InboxEntry(Retry.identity(unread), subscriber.name()), null, e);
        }
        Retry retry = Retry.in(envelope);
        InboxEntry entry = retry.entry(subscriber.name());
        try {
            return new ExaminedDelivery(retry.original(), entry, subscriber.open(retry.original()), null);
        } catch (RuntimeException e) {
            return new ExaminedDelivery(retry.original(), entry, null, e);
        }
    }

    String key() {
        return message.partitionKey();
    }
}
