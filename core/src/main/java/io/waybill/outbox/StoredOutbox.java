package io.waybill.outbox;

import io.waybill.WaybillException;
import io.waybill.message.Envelope;
import io.waybill.message.Message;
import io.waybill.message.UuidV7;
import io.waybill.store.OutboxStore;
import io.waybill.store.Transaction;
import io.waybill.store.Transactions;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

final class StoredOutbox implements Outbox {

    private final OutboxStore store;
    private final Transactions transactions;
    private final OutboxOptions options;

    StoredOutbox(OutboxStore store, Transactions transactions, OutboxOptions options) {
        this.store = store;
        this.transactions = transactions;
        this.options = options;
    }

    @Override
    public List<UUID> append(List<Message> messages) {
        var now = new ArrayList<Envelope>(messages.size());
        Map<Envelope, Message> later = new HashMap<>();
        var ids = new ArrayList<UUID>(messages.size());
        for (Message message : messages) {
            Envelope sealed = message.seal(UuidV7.SYSTEM, options.codec());
            checkOrder(sealed);
            ids.add(sealed.id());
            if (message.delay().isZero()) {
                now.add(sealed);
            } else {
                later.put(sealed, message);
            }
        }
        Transaction transaction = transactions.current();
        store.append(transaction, numbered(transaction, now));
        later.forEach((envelope, message) -> store.schedule(transaction, envelope, message.delay()));
        transaction.wakeAfterCommit(options.wake());
        return ids;
    }

    private void checkOrder(Envelope message) {
        if (!message.isOrdered() && options.isOrdered(message.destination())) {
            throw new WaybillException("Messages to '" + message.destination() + "' keep an order, but the message '"
                    + message.type() + "' does not say which. Write message.inOrderOf(order.id()), with the id of the"
                    + " thing whose messages must not overtake each other.");
        }
    }

    private List<Envelope> numbered(Transaction transaction, List<Envelope> messages) {
        if (options.numbered().isEmpty()) {
            return messages;
        }
        return messages.stream()
                .map(message -> options.isNumbered(message.destination()) ? numbered(transaction, message) : message)
                .toList();
    }

    private Envelope numbered(Transaction transaction, Envelope message) {
        long number = store.nextNumber(transaction, message.destination(), message.partitionKey());
        return message.withHeader(SEQUENCE, String.valueOf(number));
    }
}
