package io.waybill.spring.settings;

import io.waybill.transport.Broker;
import io.waybill.transport.Publisher;
import io.waybill.transport.Receiver;
import io.waybill.transport.Subscription;
import io.waybill.transport.SubscriptionOptions;
import io.waybill.transport.Transport;
import io.waybill.transport.TransportProvider;
import io.waybill.transport.TransportUrl;
import io.waybill.transport.wire.WireFormat;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;

/** {@code crowd://}: a broker whose consumers keep no order among them, as RabbitMQ's and IBM MQ's. It remembers how it was subscribed to. */
public final class CrowdBroker implements TransportProvider {

    static final List<SubscriptionOptions> SUBSCRIBED = new CopyOnWriteArrayList<>();

    @Override
    public Set<String> schemes() {
        return Set.of("crowd");
    }

    @Override
    public Transport open(TransportUrl url) {
        return new Broker() {
            @Override
            public Subscription subscribe(SubscriptionOptions options, Receiver receiver) {
                SUBSCRIBED.add(options);
                return new Subscription() {
                    @Override
                    public Optional<String> problem() {
                        return Optional.empty();
                    }

                    @Override
                    public void close() {}
                };
            }

            @Override
            public boolean keepsOrderAmongConsumers() {
                return false;
            }

            @Override
            public Publisher publisher(String relay, WireFormat format) {
                throw new AssertionError("Nothing is sent to this broker.");
            }

            @Override
            public void fence(String relay) {}

            @Override
            public void close() {}
        };
    }
}
