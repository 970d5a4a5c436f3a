package io.waybill.jms.receive;

import io.waybill.Time;
import io.waybill.WaybillException;
import io.waybill.jms.client.JmsEndpoint;
import io.waybill.jms.client.JmsFault;
import io.waybill.transport.Receiver;
import io.waybill.transport.Subscription;
import io.waybill.transport.SubscriptionOptions;
import io.waybill.transport.SubscriptionState;
import jakarta.jms.JMSException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** As many threads as were asked for, each with a connection and a consumer of its own. */
public final class JmsSubscription implements Subscription {

    private static final Logger log = LoggerFactory.getLogger(JmsSubscription.class);

    private final JmsEndpoint endpoint;
    private final Receiver receiver;
    private final SubscriptionState state;
    private final CountDownLatch stop = new CountDownLatch(1);
    private final List<Thread> threads = new ArrayList<>();

    private JmsSubscription(JmsEndpoint endpoint, SubscriptionOptions options, Receiver receiver) {
        this.endpoint = endpoint;
        this.state = new SubscriptionState(log, options, Time.system());
        this.receiver = receiver;
    }

    /** Connects first, so that what cannot work is said to the caller. A broker that is away is waited for in the background. */
    public static JmsSubscription start(
            JmsEndpoint endpoint, String queue, SubscriptionOptions options, Receiver receiver) {
        var subscription = new JmsSubscription(endpoint, options, receiver);
        var loops = new ArrayList<ReceiveLoop>();
        try {
            for (int i = 0; i < options.concurrency(); i++) {
                var loop = subscription.loop(queue, options);
                loops.add(loop);
                loop.connect();
            }
        } catch (JMSException | RuntimeException e) {
            String why = loops.get(loops.size() - 1).why(e);
            if (JmsFault.of(e) == JmsFault.MISCONFIGURED) {
                loops.forEach(ReceiveLoop::disconnect);
                throw new WaybillException("Nothing can be received from '" + options.source() + "'. " + why, e);
            }
            subscription.state.failed(loops.get(loops.size() - 1), "WB-231", why);
            while (loops.size() < options.concurrency()) {
                loops.add(subscription.loop(queue, options));
            }
        }
        loops.forEach(subscription::run);
        endpoint.keep(subscription);
        return subscription;
    }

    private ReceiveLoop loop(String queue, SubscriptionOptions options) {
        return new ReceiveLoop(endpoint, queue, options, receiver, new Pause(stop), state);
    }

    private void run(ReceiveLoop loop) {
        var thread = new Thread(loop, "waybill-jms-" + loop + "-" + (threads.size() + 1));
        thread.setDaemon(true);
        threads.add(thread);
        thread.start();
    }

    @Override
    public Optional<String> problem() {
        return state.problem();
    }

    @Override
    public void close() {
        stop.countDown();
        receiver.stop();
        try {
            for (Thread thread : threads) {
                if (thread != Thread.currentThread()) {
                    thread.join();
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        endpoint.forget(this);
        state.closed();
    }
}
