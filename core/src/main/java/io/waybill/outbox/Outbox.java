package io.waybill.outbox;

import io.waybill.message.Message;
import io.waybill.store.Transactions;
import io.waybill.store.outbox.OutboxStore;
import java.util.List;
import java.util.UUID;

/**
 * Where an application leaves its messages: they exist if the surrounding transaction commits, and not otherwise.
 *
 * <p><i>Threads:</i> safe. <i>Transaction:</i> joins the caller's and never opens one.
 */
public interface Outbox {

    /** The header with the number of a message within its key: 1, 2, 3 and no gaps, where that was asked for. */
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
     * Writes an event in the current transaction. Its class says with {@link io.waybill.message.MessageType} what it is called, and
     * with {@link io.waybill.message.AppendTo} where it goes and what it is in order of. Each of its subscribers handles it once,
     * whatever becomes of it at the others.
     *
     * @return its id, which a receiver sees with every delivery
     * @throws io.waybill.store.NoTransactionException when no transaction is open
     */
    default UUID publish(Object event) {
        return append(EventClass.message(event));
    }

    /** Writes all of them with one statement, in this order. */
    List<UUID> append(List<Message> messages);

    /** Whether a message for this destination is refused unless it says what it is in order of. */
    boolean isOrdered(String destination);

    /**
     * Looks whether somebody serves a destination, as {@link #append} does, before anything else is written.
     *
     * @throws io.waybill.WaybillException when nobody does and such messages are refused
     */
    void checkDestination(String destination);

    /** The same outbox for what must be written whether or not somebody serves its destination: it warns, and does not refuse. */
    Outbox unrefusing();

    /** An outbox in this store, for whichever transaction is current when a message is appended. */
    static Outbox in(OutboxStore store, Transactions transactions) {
        return in(store, transactions, OutboxOptions.DEFAULT);
    }

    static Outbox in(OutboxStore store, Transactions transactions, OutboxOptions options) {
        return new StoredOutbox(store, transactions, options, true);
    }
}
