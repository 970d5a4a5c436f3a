package io.waybill.inbox.receive;

import io.waybill.WaybillException;
import io.waybill.inbox.Inbox;
import io.waybill.inbox.ReceivingOptions;
import io.waybill.inbox.Retry;
import io.waybill.inbox.Subscriber;
import io.waybill.message.Envelope;
import io.waybill.message.StorableMessage;
import io.waybill.message.UuidV7;
import io.waybill.observe.InboxListener;
import io.waybill.relay.route.Route;
import io.waybill.relay.route.Routes;
import io.waybill.store.Transaction;
import io.waybill.store.failed.FailedStore;
import io.waybill.store.inbox.WaitingKeys;
import io.waybill.store.outbox.OutboxStore;
import io.waybill.transport.Receiver;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * The handlers of a process, and the routes that bring them their messages.
 *
 * <p>A destination with one handler is handled as it is. One with several is dealt out first, a message for each of them, so that they
 * neither wait for each other nor roll back each other's work.
 *
 * <p><i>Threads:</i> safe.
 */
public final class Subscribers {

    private final Routes routes;
    private final Inbox inbox;
    private final OutboxStore outboxStore;
    private final FailedStore failed;
    private final WaitingKeys waiting;
    private final InboxListener listener;
    private final Map<String, List<Local>> locals = new ConcurrentHashMap<>();

    public Subscribers(
            Routes routes,
            Inbox inbox,
            OutboxStore outboxStore,
            FailedStore failed,
            WaitingKeys waiting,
            InboxListener listener) {
        this.routes = routes;
        this.inbox = inbox;
        this.outboxStore = outboxStore;
        this.failed = failed;
        this.waiting = waiting;
        this.listener = listener;
    }

    private record Local(String handler, LocalDelivery delivery) {}

    /** Handles what is appended for this destination. */
    public synchronized void add(String destination, Subscriber subscriber, ReceivingOptions options) {
        List<Local> others = locals.computeIfAbsent(destination, none -> new CopyOnWriteArrayList<>());
        if (others.stream().anyMatch(other -> other.handler.equals(subscriber.name()))) {
            throw new WaybillException("There is a handler '" + subscriber.name() + "' of " + destination
                    + " already. Each handler of a destination has a name of its own.");
        }
        var delivery = delivery(subscriber, options);
        routes.prepend(delivery.route(Retry.destinationOf(subscriber.name(), destination), inbox.transactions()));
        others.add(new Local(subscriber.name(), delivery));
        if (others.size() == 1) {
            routes.append(first(destination, delivery));
        }
    }

    /** Takes messages from a broker for a handler. What it cannot handle is tried again in this process. */
    public synchronized Receiver receiver(String source, Subscriber subscriber, ReceivingOptions options) {
        String destination = Retry.destinationOf(subscriber.name(), source);
        routes.prepend(delivery(subscriber, options).route(destination, inbox.transactions()));
        if (options.storesFirst()) {
            return new StoreFirstReceiver(
                    inbox, outboxStore, waiting, destination, subscriber.name(), new InboxNotifier(listener));
        }
        var storedBefore = new StoredBefore(inbox.transactions(), waiting, destination);
        var retryLater =
                new RetryLater(outboxStore, waiting, failed, destination, subscriber.name(), options, storedBefore);
        return storedBefore.before(new BatchReceiver(subscriber, inbox, failed, retryLater, options, listener));
    }

    private LocalDelivery delivery(Subscriber subscriber, ReceivingOptions options) {
        return new LocalDelivery(subscriber, inbox.outbox(), failed, outboxStore, waiting, options, listener);
    }

    private Route first(String destination, LocalDelivery only) {
        Route route = only.route(destination, inbox.transactions());
        return route.handledBy((message, transaction) -> {
            List<Local> all = locals.getOrDefault(destination, List.of());
            if (all.size() == 1) {
                only.handle(message, transaction);
            } else {
                dealOut(message, all, transaction);
            }
        });
    }

    private void dealOut(Envelope message, List<Local> all, Transaction transaction) {
        Envelope whole = StorableMessage.restored(message);
        outboxStore.append(
                transaction,
                all.stream()
                        .map(local -> Retry.stored(
                                whole,
                                local.handler,
                                Retry.destinationOf(local.handler, message.destination()),
                                UuidV7.SYSTEM.get()))
                        .toList());
    }
}
