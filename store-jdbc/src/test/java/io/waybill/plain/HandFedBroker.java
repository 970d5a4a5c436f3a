package io.waybill.plain;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.waybill.transport.Broker;
import io.waybill.transport.Delivery;
import io.waybill.transport.Headers;
import io.waybill.transport.Publisher;
import io.waybill.transport.Receiver;
import io.waybill.transport.Subscription;
import io.waybill.transport.SubscriptionOptions;
import io.waybill.transport.WireFormat;
import io.waybill.transport.WireMessage;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/** Delivers what it is told to, on the thread of the test. */
final class HandFedBroker implements Broker {

    private Receiver receiver = batch -> {};
    private boolean closed;

    @Override
    public Subscription subscribe(SubscriptionOptions options, Receiver receiver) {
        this.receiver = receiver;
        return () -> closed = true;
    }

    boolean isClosed() {
        return closed;
    }

    void deliver(String source, UUID id, String payload) {
        deliver(source, id, "", payload);
    }

    void deliver(String source, UUID id, String key, String payload) {
        var message = new WireMessage(Map.of(Headers.MESSAGE_ID, id.toString()), payload.getBytes(UTF_8));
        try {
            receiver.receive(List.of(new Delivery(source, key, "", message)));
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public Publisher publisher(String relay, WireFormat format) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void fence(String relay) {}

    @Override
    public void close() {}
}
