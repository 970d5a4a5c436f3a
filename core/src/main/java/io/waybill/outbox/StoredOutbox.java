package io.waybill.outbox;

import io.waybill.WaybillException;
import io.waybill.message.Envelope;
import io.waybill.message.Message;
import io.waybill.message.UuidV7;
import io.waybill.observe.OutboxListener;
import io.waybill.store.Transaction;
import io.waybill.store.Transactions;
import io.waybill.store.outbox.OutboxStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

final class StoredOutbox implements Outbox {

    private static final Logger log = LoggerFactory.getLogger(StoredOutbox.class);

    private final OutboxStore store;
    private final Transactions transactions;
    private final OutboxOptions options;
    private final boolean refuses;

    StoredOutbox(OutboxStore store, Transactions transactions, OutboxOptions options, boolean refuses) {
        this.store = store;
        this.transactions = transactions;
        this.options = options;
        this.refuses = refuses;
    }

    @Override
    public List<UUID> append(List<Message> messages) {
        var now = new ArrayList<Envelope>(messages.size());
        Map<Envelope, Duration> later = new LinkedHashMap<>();
        var ids = new ArrayList<UUID>(messages.size());
        Map<String, String> context = options.listener().context();
        for (Message message : messages) {
            Envelope sealed = with(context, message.seal(UuidV7.SYSTEM, options.codec()));
            checkOrder(sealed);
            checkDestination(sealed.destination());
            ids.add(sealed.id());
            if (message.delay().isZero()) {
                now.add(sealed);
            } else {
                later.put(sealed, message.delay());
            }
        }
        Transaction transaction = transactions.current();
        transaction.requireWritable("Outbox.append");
        List<Envelope> appended = numbered(transaction, now);
        store.append(transaction, appended);
        later.forEach((message, delay) -> store.schedule(transaction, message, delay));
        notifyAfterCommit(transaction, appended, later);
        return ids;
    }

    @Override
    public boolean isOrdered(String destination) {
        return options.isOrdered(destination);
    }

    @Override
    public void checkDestination(String destination) {
        options.destinations().check(destination, refuses);
    }

    @Override
    public Outbox unrefusing() {
        return new StoredOutbox(store, transactions, options, false);
    }

    private void notifyAfterCommit(
            Transaction transaction, List<Envelope> appended, Map<Envelope, Duration> scheduled) {
        boolean isNotified = transaction.afterCommit(() -> {
            options.wake().run();
            if (options.listener() != OutboxListener.NONE) {
                notifyListener(appended, scheduled);
            }
        });
        if (!isNotified) {
            options.wake().run();
        }
    }

    /** The messages are committed: an exception now would tell the caller otherwise. */
    private void notifyListener(List<Envelope> appended, Map<Envelope, Duration> scheduled) {
        try {
            if (!appended.isEmpty()) {
                options.listener().appended(appended);
            }
            scheduled.forEach(options.listener()::scheduled);
        } catch (RuntimeException e) {
            log.warn("WB-109 An OutboxListener failed; the appended messages are not affected: {}", e.toString());
            log.debug("WB-109", e);
        }
    }

    /** A message that continues something else says so itself. */
    private static Envelope with(Map<String, String> context, Envelope message) {
        if (context.isEmpty()) {
            return message;
        }
        Envelope with = message;
        if (context.keySet().stream().noneMatch(message.headers()::containsKey)) {
            for (var header : context.entrySet()) {
                with = with.withHeader(header.getKey(), header.getValue());
            }
        }
        return with;
    }

    private void checkOrder(Envelope message) {
        if (!message.isOrdered() && isOrdered(message.destination())) {
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
