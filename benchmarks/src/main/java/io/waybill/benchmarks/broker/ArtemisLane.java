package io.waybill.benchmarks.broker;

import io.waybill.benchmarks.floor.FloorRelay.Row;
import io.waybill.benchmarks.workload.Workload;
import io.waybill.jms.Jms;
import io.waybill.testkit.services.broker.Artemis;
import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.MessageProducer;
import jakarta.jms.Session;
import jakarta.jms.TextMessage;
import java.util.List;

/**
 * An Artemis of one's own for one measurement, and the bare client beside which Waybill is measured: persistent messages in one
 * transacted session, one commit for each batch.
 */
final class ArtemisLane implements AutoCloseable {

    private final Artemis server = Artemis.start();
    private final Connection connection;
    private final Session session;
    private final MessageProducer producer;

    ArtemisLane() throws JMSException {
        connection = server.connectionFactory().createConnection();
        session = connection.createSession(true, Session.SESSION_TRANSACTED);
        producer = session.createProducer(session.createQueue(Workload.DESTINATION));
    }

    /** Waybill's transport to the same broker. */
    Jms transport() {
        return Jms.artemis(server.url());
    }

    /** Returns when the broker has committed all of them. */
    void send(List<Row> rows) {
        try {
            for (Row row : rows) {
                producer.send(message(row));
            }
            session.commit();
        } catch (JMSException e) {
            throw new IllegalStateException(e);
        }
    }

    /** What a receiver needs: an id, a type, what the body is, and the key that keeps the order. */
    private TextMessage message(Row row) throws JMSException {
        TextMessage message = session.createTextMessage(row.payload());
        message.setJMSType("OrderPlaced");
        message.setStringProperty("id", Long.toString(row.id()));
        message.setStringProperty("contentType", "application/json");
        message.setStringProperty("JMSXGroupID", row.partitionKey());
        return message;
    }

    @Override
    public void close() throws JMSException {
        connection.close();
        server.close();
    }
}
