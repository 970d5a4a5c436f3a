package io.waybill.inbox;

import io.waybill.WaybillException;
import io.waybill.message.Envelope;
import io.waybill.store.InboxStore;
import io.waybill.store.Transactions;

/**
 * Lets each handler take effect once per message, however often the message arrives.
 *
 * <p><i>Threads:</i> safe. <i>Transaction:</i> one for the inbox row and the handler's work.
 */
public final class Inbox {

    private final InboxStore store;
    private final Transactions transactions;

    public Inbox(InboxStore store, Transactions transactions) {
        this.store = store;
        this.transactions = transactions;
    }

    /**
     * Handles the message, unless this handler has handled it before.
     *
     * @param handler the name under which the handling is remembered; give it once and never change it
     * @return true when the handler ran and its work is committed, false when the message was a repetition
     */
    public boolean receive(Envelope message, String handler, Handler work) {
        return transactions.inTransaction(transaction -> {
            if (!store.record(transaction, message.id().toString(), handler)) {
                return false;
            }
            try {
                work.handle(new Received(message, transaction));
            } catch (RuntimeException e) {
                throw e;
            } catch (Exception e) {
                throw new WaybillException(
                        "The handler '" + handler + "' failed on message " + message.id() + ": " + e, e);
            }
            return true;
        });
    }
}
