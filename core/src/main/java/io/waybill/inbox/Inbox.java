package io.waybill.inbox;

import io.waybill.WaybillException;
import io.waybill.message.Envelope;
import io.waybill.outbox.Outbox;
import io.waybill.store.Transactions;
import io.waybill.store.inbox.InboxStore;
import java.util.List;

/**
 * Lets each handler take effect once per message, however often the message arrives.
 *
 * <p><i>Threads:</i> safe. <i>Transaction:</i> one for the inbox row and the handler's work.
 *
 * @param outbox what handlers append to, in the same transaction
 */
public record Inbox(InboxStore store, Transactions transactions, Outbox outbox) {

    /**
     * Handles the message, unless this handler has handled it before.
     *
     * @return true when the handler ran and its work is committed, false when the message was a repetition
     */
    public boolean receive(Envelope message, Subscriber subscriber) {
        var retry = Retry.in(message);
        Subscriber.Work work = subscriber.open(retry.original());
        return transactions.inTransaction(transaction -> {
            if (store.record(transaction, List.of(retry.entry(subscriber.name())))
                    .isEmpty()) {
                return false;
            }
            try {
                work.run(transaction, outbox);
            } catch (RuntimeException e) {
                throw e;
            } catch (Exception e) {
                throw new WaybillException(
                        "The handler '" + subscriber.name() + "' failed on message "
                                + retry.original().id() + ": " + e,
                        e);
            }
            return true;
        });
    }
}
