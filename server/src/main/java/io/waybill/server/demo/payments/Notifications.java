package io.waybill.server.demo.payments;

import io.waybill.inbox.Received;
import io.waybill.message.Envelope;
import io.waybill.message.Message;
import io.waybill.server.demo.payments.PaymentFaults.Fault;
import io.waybill.transport.Deadline;
import io.waybill.transport.Outcome;
import io.waybill.transport.Publisher;
import java.util.List;
import java.util.Map;

/** Tells customers of their payments: a subscriber that appends messages, and the publisher that sends them to a service elsewhere. */
final class Notifications implements Publisher {

    static final String DESTINATIONS = "notifications.*";

    private final PaymentFaults faults;

    Notifications(PaymentFaults faults) {
        this.faults = faults;
    }

    static void paymentCompleted(Received<PaymentCompleted> received) {
        PaymentCompleted payment = received.payload();
        var text = Map.of(
                "account", payment.account(), "text", "You paid " + payment.amount() + " to " + payment.beneficiary());
        received.outbox()
                .append(Message.event("PaymentNotification", text)
                        .to("notifications.email")
                        .inOrderOf(payment.account()));
    }

    /** In place of a broker or a webhook: this service is in the same process. */
    @Override
    public List<Outcome> publish(List<Envelope> batch, Deadline deadline) {
        return Publisher.oneByOne(
                batch,
                deadline,
                message -> faults.has(Fault.NOTIFICATIONS_DOWN)
                        ? new Outcome.Unavailable("the notification service does not respond")
                        : new Outcome.Accepted());
    }
}
