package com.acme.guide;

import com.acme.guide.Types.Invoices;
import com.acme.guide.Types.NewAddress;
import com.acme.guide.Types.OrderPlaced;
import io.waybill.message.Envelope;
import io.waybill.message.Message;
import io.waybill.message.MessageTypes;
import io.waybill.message.PayloadCodec;
import io.waybill.outbox.Outbox;
import io.waybill.runtime.Waybill;
import io.waybill.transport.SubscriptionOptions;
import javax.sql.DataSource;

/** README.md, docs/receiving.md and docs/payloads.md. */
@SuppressWarnings("unused")
final class MessagesGuide {

    void readme(Waybill waybill, Invoices invoices) {
        waybill.subscribe(
                "orders.placed",
                "billing",
                OrderPlaced.class,
                received -> invoices.create(received.connection(), received.payload()));
        waybill.subscribe(
                "kafka://localhost:9092",
                SubscriptionOptions.to("orders.placed", "billing"),
                OrderPlaced.class,
                received -> invoices.create(received.connection(), received.payload()));
    }

    void receive(DataSource dataSource, Invoices invoices) {
        var waybill = Waybill.on(dataSource).start();
        var orders = SubscriptionOptions.to("orders.placed", "billing").concurrency(4);

        waybill.subscribe("kafka://localhost:9092", orders, OrderPlaced.class, received -> {
            var invoice = invoices.create(received.connection(), received.payload());
            received.outbox().append(Message.event("InvoiceWritten", invoice).to("invoices.written"));
        });
    }

    void write(Outbox outbox, OrderPlaced placed) {
        outbox.append(Message.event(placed).to("orders.placed").inOrderOf(placed.orderId()));
        outbox.append(Message.event("OrderPlaced", placed).to("orders.placed").inOrderOf(placed.orderId()));
    }

    void read(Envelope envelope) {
        var types = MessageTypes.of(OrderPlaced.class)
                .with("OrderCreated", OrderPlaced.class)
                .with("CustomerMoved", NewAddress.class);

        Object payload = types.read(envelope, PayloadCodec.found());
    }
}
