package io.waybill.testkit.services.broker;

import io.waybill.testkit.services.host.AtExit;
import io.waybill.testkit.services.host.FreePort;
import io.waybill.testkit.services.host.Once;
import io.waybill.testkit.services.host.OptionalLibraries;
import jakarta.jms.ConnectionFactory;
import java.util.UUID;

/**
 * An Artemis broker in this JVM, for JMS. It keeps messages in memory and lets everybody in.
 *
 * <p>Threads: may be used by many.
 */
public final class Artemis implements AutoCloseable {

    private static final Once<Artemis> SHARED = new Once<>(Artemis::start);

    private final int port = FreePort.next();
    private final ArtemisBroker broker;
    private final AtExit atExit;

    private Artemis(boolean autoCreate) throws Exception {
        broker = new ArtemisBroker(url(), vmUrl(), autoCreate);
        atExit = AtExit.stop("artemis", this::close);
    }

    public static Artemis shared() {
        return SHARED.get();
    }

    /** A broker nobody else uses. */
    public static Artemis start() {
        return start(true);
    }

    /** The same without queues that are made by being used: a queue that nobody has created is not there. */
    public static Artemis startStrict() {
        return start(false);
    }

    private static Artemis start(boolean autoCreate) {
        OptionalLibraries.require(
                "Artemis",
                "org.apache.activemq.artemis.core.server.embedded.EmbeddedActiveMQ",
                "org.apache.artemis:artemis-jakarta-server");
        OptionalLibraries.require("Artemis", "jakarta.jms.ConnectionFactory", "jakarta.jms:jakarta.jms-api");
        try {
            return new Artemis(autoCreate);
        } catch (Exception e) {
            throw new IllegalStateException("Artemis did not start: " + e.getMessage(), e);
        }
    }

    /** Where it listens, e.g. {@code tcp://127.0.0.1:40404}. */
    public String url() {
        return "tcp://127.0.0.1:" + port;
    }

    /** The way in without a socket, from this JVM alone. */
    public String vmUrl() {
        return "vm://" + port;
    }

    /** Connects to {@link #url()}. */
    public ConnectionFactory connectionFactory() {
        return broker.connectionFactory();
    }

    /** The name of a new, empty queue. */
    public String newQueue() {
        String name = "queue-" + UUID.randomUUID();
        createQueue(name);
        return name;
    }

    /** Creates an empty queue with this name. */
    public void createQueue(String name) {
        try {
            broker.createQueue(name);
        } catch (Exception e) {
            throw new IllegalStateException(
                    "queue " + name + " was not created on " + url() + ": " + e.getMessage(), e);
        }
    }

    /** Stops it, runs this, and starts it again at the same address. What it had is lost: it keeps nothing on disk. */
    public synchronized void restart(ThrowingAction whileDown) throws Exception {
        broker.stop();
        try {
            whileDown.run();
        } finally {
            broker.start();
        }
    }

    /** Something to do. */
    public interface ThrowingAction {
        void run() throws Exception;
    }

    @Override
    public synchronized void close() {
        atExit.forget();
        try {
            broker.stop();
        } catch (Exception e) {
            throw new IllegalStateException("Artemis on " + url() + " did not stop: " + e.getMessage(), e);
        }
    }
}
