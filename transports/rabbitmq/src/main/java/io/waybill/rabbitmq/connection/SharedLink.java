package io.waybill.rabbitmq.connection;

import org.jspecify.annotations.Nullable;

/**
 * One connection for all subscriptions, each with channels of its own; the first that finds it closed opens the next.
 *
 * <p><i>Threads:</i> safe.
 */
public final class SharedLink implements AutoCloseable {

    private final Connector connector;
    private final String purpose;
    private @Nullable AmqpLink link;
    private int users;

    public SharedLink(Connector connector, String purpose) {
        this.connector = connector;
        this.purpose = purpose;
    }

    /** The same for one more, who closes it. */
    public synchronized SharedLink use() {
        users++;
        return this;
    }

    public synchronized AmqpLink get() throws AmqpProblem {
        AmqpLink open = link;
        if (open == null || !open.isOpen()) {
            open = connector.connect(purpose);
            link = open;
        }
        return open;
    }

    /** One that is not shared. */
    public AmqpLink another() throws AmqpProblem {
        return connector.connect(purpose);
    }

    /** Whether there will be no other, because the transport was closed. */
    public boolean isOver() {
        return connector.isClosed();
    }

    /** Ends the connection with the last of those who use it. */
    @Override
    public synchronized void close() {
        users--;
        if (users == 0 && link != null) {
            link.close();
            link = null;
        }
    }

    @Override
    public String toString() {
        return connector.toString();
    }
}
