package io.waybill.testkit;

import io.waybill.message.Envelope;
import io.waybill.testkit.contract.BrokerFixture;
import io.waybill.testkit.contract.PublisherContract;
import io.waybill.transport.Delivery;
import io.waybill.transport.Outcome;
import io.waybill.transport.Transport;
import io.waybill.transport.WireFormat;
import java.util.List;
import java.util.Optional;

/** Tests may trust the broker in memory as they trust a real one. */
class MemoryBrokerTest extends PublisherContract {

    @Override
    protected BrokerFixture<?> fixture() {
        return new Fixture();
    }

    private static final class Fixture implements BrokerFixture<Transport> {

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
        public Transport open(int port) {
            return Transport.of(broker);
        }

        @Override
        public int port() {
            return IN_PROCESS;
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
        public Optional<String> missingDestination() {
            return Optional.of("nowhere");
        }

        @Override
        public Optional<Envelope> refusable(Envelope message) {
            return Optional.of(message.withHeader(REFUSED, "please"));
        }
    }
}
