package io.waybill.testkit.memory;

import io.waybill.message.Envelope;
import io.waybill.testkit.contract.transport.RefusingFixture;
import io.waybill.testkit.contract.transport.RefusingPublisherContract;
import io.waybill.testkit.contract.transport.SubscriptionContract;
import io.waybill.testkit.contract.transport.TransportFixture;
import io.waybill.transport.Broker;
import io.waybill.transport.Delivery;
import io.waybill.transport.Outcome;
import io.waybill.transport.wire.WireFormat;
import java.util.List;
import org.junit.jupiter.api.Nested;

/** Tests may trust the broker in memory as they trust a real one. */
class MemoryBrokerTest {

    @Nested
    class Publishes extends RefusingPublisherContract {

        private final Fixture fixture = new Fixture();

        @Override
        protected RefusingFixture<?> fixture() {
            return fixture;
        }
    }

    @Nested
    class Delivers extends SubscriptionContract {

        private final Fixture fixture = new Fixture();

        @Override
        protected TransportFixture<? extends Broker> fixture() {
            return fixture;
        }
    }

    private static final class Fixture implements RefusingFixture<Broker> {

        private static final String HERE = "orders";
        private static final String REFUSED = "x-refuse";

        private final MemoryBroker broker = new MemoryBroker();

        Fixture() {
            broker.answers(message -> {
                if (!message.destination().equals(HERE)) {
                    return new Outcome.Misconfigured("There is no " + message.destination() + ".");
                }
                return message.headers().containsKey(REFUSED)
                        ? new Outcome.Refused("not this one")
                        : new Outcome.Accepted();
            });
        }

        @Override
        public Broker open() {
            return broker.asBroker();
        }

        @Override
        public String newDestination() {
            return HERE;
        }

        @Override
        public List<Delivery> contents(String destination) {
            return broker.accepted().stream()
                    .map(message ->
                            new Delivery(destination, message.partitionKey(), "", WireFormat.PLAIN.write(message, "")))
                    .toList();
        }

        @Override
        public String missingDestination() {
            return "nowhere";
        }

        @Override
        public Envelope refusable(Envelope message) {
            return message.withHeader(REFUSED, "please");
        }
    }
}
