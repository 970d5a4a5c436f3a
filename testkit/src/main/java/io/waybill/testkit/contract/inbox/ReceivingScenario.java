package io.waybill.testkit.contract.inbox;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.waybill.inbox.Handler;
import io.waybill.inbox.ReceivingOptions;
import io.waybill.inbox.Subscriber;
import io.waybill.inbox.receive.BatchReceiver;
import io.waybill.inbox.receive.FailAtOnce;
import io.waybill.message.Envelope;
import io.waybill.message.Message;
import io.waybill.observe.InboxListener;
import io.waybill.store.failed.FailedMessage;
import io.waybill.store.failed.FailedSelection;
import io.waybill.testkit.contract.support.StoreContract;
import io.waybill.transport.Delivery;
import io.waybill.transport.wire.Headers;
import io.waybill.transport.wire.WireMessage;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/** What the contracts of receiving have in common. The effect of a message is one that a handler appends. */
abstract class ReceivingScenario extends StoreContract {

    static final String BILLING = "billing";
    static final String INVOICES = "invoices";

    final List<String> events = new ArrayList<>();

    BatchReceiver receiving(Handler<String> handler) {
        return receiving(ReceivingOptions.DEFAULT, handler);
    }

    BatchReceiver receiving(ReceivingOptions options, Handler<String> handler) {
        return receiving(options, Subscriber.ofText(BILLING, handler), new Recorder());
    }

    BatchReceiver receiving(ReceivingOptions options, Subscriber subscriber, InboxListener listener) {
        return new BatchReceiver(
                subscriber,
                store.inbox(),
                store.failedStore(),
                new FailAtOnce(store.failedStore(), subscriber.name()),
                options,
                listener);
    }

    /** Writes an invoice with the order's number. */
    static Handler<String> invoice() {
        return received -> received.outbox()
                .append(Message.event("InvoiceWritten", received.payload()).to(INVOICES));
    }

    /** Writes an invoice unless it is this order's. */
    static Handler<String> invoiceUnless(String payload) {
        return received -> {
            invoice().handle(received);
            if (received.payload().equals(payload)) {
                throw new IllegalStateException("no ink for " + payload);
            }
        };
    }

    /** The numbers of the orders that have an invoice, in the order in which they were written. */
    List<String> invoices() {
        return payloads(claimAll());
    }

    List<FailedMessage> failed() {
        return store.failedStore().list(FailedSelection.all(), 0, 100);
    }

    static Delivery delivery(UUID id, String key, String payload) {
        var headers = Map.of(Headers.MESSAGE_ID, id.toString(), Headers.MESSAGE_TYPE, "OrderPlaced", "channel", "web");
        return new Delivery(ORDERS, key, "", new WireMessage(headers, payload.getBytes(UTF_8)));
    }

    /** Orders with these numbers, each of a key of its own. */
    static List<Delivery> orders(String... numbers) {
        var deliveries = new ArrayList<Delivery>();
        for (String number : numbers) {
            deliveries.add(delivery(UUID.randomUUID(), "key-" + number, number));
        }
        return deliveries;
    }

    final class Recorder implements InboxListener {
        @Override
        public void received(String handler, int messages) {
            add("received " + messages);
        }

        @Override
        public void handled(String handler, List<Envelope> messages) {
            add("handled " + messages.size());
        }

        @Override
        public void duplicate(String handler, List<Envelope> messages) {
            add("duplicate " + messages.size());
        }

        @Override
        public void retried(String handler, Envelope message, int attempts, Throwable error) {
            add("retried " + message.payload().asText() + " after " + attempts);
        }

        @Override
        public void failed(String handler, Envelope message, int attempts, Throwable error) {
            add("failed " + message.payload().asText() + " after " + attempts);
        }

        private void add(String event) {
            synchronized (events) {
                events.add(event);
            }
        }
    }
}
