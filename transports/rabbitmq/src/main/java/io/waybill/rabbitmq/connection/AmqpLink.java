package io.waybill.rabbitmq.connection;

import com.rabbitmq.client.BlockedListener;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ShutdownSignalException;
import io.waybill.rabbitmq.connection.AmqpProblem.Closing;
import java.io.IOException;
import java.net.Socket;
import org.jspecify.annotations.Nullable;

/** A connection, and the means to end it even when its peer has stopped reading. */
public final class AmqpLink implements AutoCloseable {

    private static final int CLOSE_TIMEOUT_MILLIS = 2_000;

    private final Connection connection;
    private final @Nullable Socket socket;
    private final String name;
    private volatile @Nullable String blocked;

    AmqpLink(Connection connection, @Nullable Socket socket, String name) {
        this.connection = connection;
        this.socket = socket;
        this.name = name;
    }

    public boolean isOpen() {
        return connection.isOpen();
    }

    public Channel openChannel() throws AmqpProblem {
        try {
            return connection
                    .openChannel()
                    .orElseThrow(() -> AmqpProblem.away(name + " has no channel left on this connection."));
        } catch (IOException | ShutdownSignalException e) {
            throw lost(Closing.of(e));
        }
    }

    /**
     * Ends the connection as soon as the broker takes no more messages: from then on it does not read, and sending would hang
     * in the middle of a message for as long as that lasts.
     */
    public void endWhenBlocked() {
        connection.addBlockedListener(new BlockedListener() {
            @Override
            public void handleBlocked(String reason) {
                blocked = reason;
                cut();
            }

            @Override
            public void handleUnblocked() {}
        });
    }

    /** What to say when the connection has ended. */
    public AmqpProblem lost(Closing closing) {
        String reason = blocked;
        return AmqpProblem.away(
                reason == null
                        ? name + " is not available: " + closing
                        : name + " takes no messages at present: " + reason + ".");
    }

    /** Ends the connection without a word. */
    public void cut() {
        if (socket
                == null) { // The user's factory has non-blocking sockets, which do not hang; this may be their thread.
            new Thread(this::close, "waybill-amqp-close").start();
            return;
        }
        try {
            socket.setSoLinger(true, 0); // Closing does not wait for what is still to be written.
            socket.close();
        } catch (IOException e) {
            // It is closed already.
        }
    }

    /** Ends a channel, whatever is left of it. */
    public static void end(Channel channel) {
        try {
            channel.abort();
        } catch (IOException | ShutdownSignalException e) {
            // It has ended.
        }
    }

    /** Ends the connection once everything before has been sent. */
    @Override
    public void close() {
        connection.abort(CLOSE_TIMEOUT_MILLIS);
    }
}
