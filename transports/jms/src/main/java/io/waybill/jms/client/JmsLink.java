package io.waybill.jms.client;

import jakarta.jms.Connection;
import jakarta.jms.ConnectionFactory;
import jakarta.jms.InvalidDestinationException;
import jakarta.jms.JMSException;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Queue;
import jakarta.jms.Session;

/**
 * A connection with one transacted session: what a publisher or a receiving thread has to itself.
 *
 * <p><i>Threads:</i> one, except for {@link #abandon} and {@link #isBroken}.
 */
public final class JmsLink implements AutoCloseable {

    private final Connection connection;
    private final Session session;
    private volatile boolean broken;
    private volatile boolean abandoned;

    private JmsLink(Connection connection, Session session) {
        this.connection = connection;
        this.session = session;
    }

    static JmsLink open(ConnectionFactory factory) throws JMSException {
        Connection connection = factory.createConnection();
        try {
            var link = new JmsLink(connection, connection.createSession(true, Session.SESSION_TRANSACTED));
            connection.setExceptionListener(e -> link.broken = true);
            return link;
        } catch (JMSException | RuntimeException e) {
            close(connection);
            throw e;
        }
    }

    public Session session() {
        return session;
    }

    /** Says whether the queue exists, where the broker can tell. */
    public MessageProducer producer(String queue) throws JMSException {
        return session.createProducer(queue(queue));
    }

    public MessageConsumer consumer(String queue) throws JMSException {
        return session.createConsumer(queue(queue));
    }

    /** Artemis looks for it here already, and says that it is missing with no more than a JMSException. */
    private Queue queue(String name) throws JMSException {
        try {
            return session.createQueue(name);
        } catch (JMSException e) {
            if (broken || JmsFault.of(e) != JmsFault.REFUSED) {
                throw e;
            }
            var missing = new InvalidDestinationException(e.getMessage());
            missing.initCause(e);
            throw missing;
        }
    }

    /** Lets consumers receive. */
    public void start() throws JMSException {
        connection.start();
    }

    public void commit() throws JMSException {
        session.commit();
    }

    public void rollback() throws JMSException {
        session.rollback();
    }

    /** Rolls back after a failure. Returns whether the broker still answers: if so, the failure was not the connection's. */
    public boolean answersToRollback() {
        try {
            session.rollback();
            return !broken;
        } catch (JMSException | RuntimeException e) {
            return false;
        }
    }

    public boolean isBroken() {
        return broken;
    }

    public boolean isAbandoned() {
        return abandoned;
    }

    /** Closes the connection under a call that does not return, which then fails. */
    void abandon() {
        abandoned = true;
        broken = true;
        close();
    }

    @Override
    public void close() {
        close(connection);
    }

    private static void close(Connection connection) {
        try {
            connection.close();
        } catch (JMSException | RuntimeException e) {
            // It is gone either way.
        }
    }
}
