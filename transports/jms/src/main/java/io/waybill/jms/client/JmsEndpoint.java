package io.waybill.jms.client;

import io.waybill.transport.Subscription;
import jakarta.jms.ConnectionFactory;
import jakarta.jms.JMSException;
import jakarta.jms.JMSSecurityException;
import java.time.Duration;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A broker that can be connected to: how, and what it is called in errors. */
public final class JmsEndpoint implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(JmsEndpoint.class);

    /** As long as an application usually waits for handlers when it stops. */
    private static final Duration CLOSING = Duration.ofSeconds(30);

    private final String name;
    private final String hint;
    private final JmsProduct product;
    private final ConnectionFactory factory;
    private final Runnable closeFactory;
    private final Function<String, OptionalInt> backoutThreshold;
    private final Watchdog watchdog = new Watchdog();
    private final Set<Subscription> subscriptions = ConcurrentHashMap.newKeySet();

    public JmsEndpoint(JmsProduct product, ConnectionFactory factory, Runnable closeFactory) {
        this(product.label(), "", product, factory, closeFactory, queue -> OptionalInt.empty());
    }

    /**
     * @param name what and where it is, without credentials
     * @param hint what to look at when it does not answer
     * @param backoutThreshold how often a message of a queue may be rolled back before the client puts it elsewhere, where that
     *     can be asked
     */
    public JmsEndpoint(
            String name,
            String hint,
            JmsProduct product,
            ConnectionFactory factory,
            Runnable closeFactory,
            Function<String, OptionalInt> backoutThreshold) {
        this.name = name;
        this.hint = hint;
        this.product = product;
        this.factory = factory;
        this.closeFactory = closeFactory;
        this.backoutThreshold = backoutThreshold;
    }

    public String name() {
        return name;
    }

    public JmsProduct product() {
        return product;
    }

    public Watchdog watchdog() {
        return watchdog;
    }

    public JmsLink connect() throws JMSException {
        return JmsLink.open(factory);
    }

    /** One line on why there is no connection. */
    public String whyNotConnected(Exception e) {
        if (e instanceof JMSSecurityException) {
            return name + " refuses the connection: the user or the password is wrong. " + JmsFault.line(e);
        }
        return JmsFault.of(e) == JmsFault.MISCONFIGURED
                ? name + " refuses the connection: " + JmsFault.line(e)
                : name + " does not respond: " + JmsFault.line(e) + (hint.isEmpty() ? "" : " " + hint);
    }

    /** One line on why there is no connection any more. */
    public String whyLost(Exception e) {
        return "The connection to " + name + " was lost: " + JmsFault.line(e);
    }

    /** One line on why a queue cannot be used. */
    public String whyNotUsable(String queue, Exception e) {
        return name + " does not let us use the queue '" + queue + "': " + JmsFault.line(e) + " If it is missing: "
                + product.howToDefine(queue);
    }

    public void warnOfUnlimitedBackout(String queue) {
        OptionalInt threshold = backoutThreshold.apply(queue);
        if (threshold.isPresent() && threshold.getAsInt() == 0) {
            log.warn(
                    "WB-233 Queue {} of {} has BOTHRESH(0), so a message that cannot be read blocks it for good. Run:"
                            + " ALTER QLOCAL('{}') BOTHRESH(10) BOQNAME('{}.BACKOUT')",
                    queue,
                    name,
                    queue,
                    queue);
        }
    }

    /** Closes it with itself. */
    public void keep(Subscription subscription) {
        subscriptions.add(subscription);
    }

    public void forget(Subscription subscription) {
        subscriptions.remove(subscription);
    }

    @Override
    public void close() {
        Subscription.closeAll(List.copyOf(subscriptions), CLOSING);
        watchdog.close();
        closeFactory.run();
    }
}
