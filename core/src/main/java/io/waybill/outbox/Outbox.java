package io.waybill.outbox;

import io.waybill.message.Message;
import io.waybill.store.Transactions;
import io.waybill.store.outbox.OutboxStore;
import java.util.List;
import java.util.UUID;

/**
 * Appends messages in the transaction of the caller: they exist if that transaction commits, and not otherwise.
 *
 * <p><i>Threads:</i> safe. <i>Transaction:</i> joins the caller's and never opens one.
 */
public interface Outbox {

    /** The header with the number of a message within its key (1, 2, 3, without gaps), for destinations that are numbered. */
    String SEQUENCE = "waybill-sequence";

    /**
     * Writes the message in the current transaction.
     *
     * @return its id, which a receiver sees with every delivery
     * @throws io.waybill.store.NoTransactionException when no transaction is open
     */
    default UUID append(Message message) {
        return append(List.of(message)).get(0);
    }

    /**
     * Writes an event in the current transaction. Its class declares its type with {@link io.waybill.message.MessageType}, and its
     * destination and partition key with {@link io.waybill.message.AppendTo}. Each subscriber handles it once, independent of the
     * others.
     *
     * @return its id, which a receiver sees with every delivery
     * @throws io.waybill.store.NoTransactionException when no transaction is open
     */
    default UUID publish(Object event) {
        return append(EventClass.message(event));
    }

    /** Writes all of them with one statement, in this order. */
    List<UUID> append(List<Message> messages);

    /** Whether messages for this destination must have a partition key. */
    boolean isOrdered(String destination);

    /**
     * Checks whether a destination is served, as {@link #append} does, before anything is written.
     *
     * @throws io.waybill.WaybillException when it is not served and such messages are refused
     */
    void checkDestination(String destination);

    /** The same outbox for messages that must be written even if nothing serves their destination: it warns instead of refusing. */
    Outbox unrefusing();

    /** An outbox in this store, for whichever transaction is current when a message is appended. */
    static Outbox in(OutboxStore store, Transactions transactions) {
        return in(store, transactions, OutboxOptions.DEFAULT);
    }

    static Outbox in(OutboxStore store, Transactions transactions, OutboxOptions options) {
        return new StoredOutbox(store, transactions, options, true);
    }
}
