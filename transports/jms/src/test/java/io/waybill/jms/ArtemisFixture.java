package io.waybill.jms;

import io.waybill.jms.client.JmsMessages;
import io.waybill.message.Envelope;
import io.waybill.testkit.contract.transport.BrokerFixture;
import io.waybill.transport.Delivery;
import io.waybill.transport.Transports;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.QueueBrowser;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Enumeration;
import java.util.List;
import java.util.UUID;

/** Artemis, for the contracts. */
public final class ArtemisFixture implements BrokerFixture<Jms> {

    /** Artemis refuses a message with a duplicate id that it has seen. */
    private static final String DUPLICATE_ID = "_AMQ_DUPL_ID";

    @Override
    public Jms open(int port) {
        return (Jms) Transports.open(
                "jms+artemis://" + TestBroker.USER + ":pa%3Ass%40w0rd@127.0.0.1:" + port + "?timeout-seconds=5");
    }

    @Override
    public int port() {
        return TestBroker.SHARED.port();
    }

    @Override
    public String newDestination() {
        return TestBroker.SHARED.newQueue();
    }

    @Override
    public List<Delivery> contents(String destination) {
        try (var context = TestBroker.SHARED.client().createContext();
                QueueBrowser browser = context.createBrowser(context.createQueue(destination))) {
            var contents = new ArrayList<Delivery>();
            for (Object message : Collections.list((Enumeration<?>) browser.getEnumeration())) {
                contents.add(JmsMessages.read(destination, (Message) message));
            }
            return contents;
        } catch (JMSException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public String missingDestination() {
        return "missing." + UUID.randomUUID();
    }

    @Override
    public Envelope refusable(Envelope message) {
        String id = UUID.randomUUID().toString();
        try (var context = TestBroker.SHARED.client().createContext()) {
            var queue = context.createQueue(message.destination());
            context.createProducer().setProperty(DUPLICATE_ID, id).send(queue, "the first with this id");
            context.createConsumer(queue).receiveBody(String.class, 10_000);
        }
        return message.withHeader(DUPLICATE_ID, id);
    }
}
