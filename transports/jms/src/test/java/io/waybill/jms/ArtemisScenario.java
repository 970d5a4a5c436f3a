package io.waybill.jms;

import io.waybill.message.Envelope;
import io.waybill.testkit.Numbered;
import io.waybill.transport.Deadline;
import io.waybill.transport.Delivery;
import io.waybill.transport.Outcome;
import io.waybill.transport.Transport;
import io.waybill.transport.WireReader;
import io.waybill.transport.wire.WireFormat;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;

/** A strict Artemis, and messages with a number in them. */
abstract class ArtemisScenario {

    static final Duration PATIENCE = Duration.ofSeconds(30);

    final TestBroker broker = TestBroker.SHARED;
    final ArtemisFixture fixture = new ArtemisFixture();
    final Jms jms = fixture.open(fixture.port());
    final List<Delivery> received = new CopyOnWriteArrayList<>();

    @AfterEach
    void close() {
        jms.close();
    }

    String url() {
        return "tcp://127.0.0.1:" + broker.port();
    }

    static List<Outcome> publish(Transport transport, Envelope... batch) {
        try (var publisher = transport.publisher("relay-1", WireFormat.PLAIN)) {
            return publisher.publish(List.of(batch), Deadline.NEVER);
        }
    }

    static Envelope message(String destination, String key, int number) {
        return Numbered.message(destination, key, number);
    }

    List<Integer> numbers(String queue) {
        return fixture.contents(queue).stream().map(ArtemisScenario::number).toList();
    }

    static int number(Delivery delivery) {
        String text = WireReader.read(delivery).payload().asText();
        return Integer.parseInt(text.substring(text.lastIndexOf(':') + 1, text.length() - 1));
    }
}
