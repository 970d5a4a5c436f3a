package io.waybill.jms;

import io.waybill.WaybillException;
import io.waybill.transport.Receiver;
import io.waybill.transport.Subscription;
import io.waybill.transport.SubscriptionOptions;
import jakarta.jms.JMSException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** As many threads as were asked for, each with a connection and a consumer of its own. */
final class JmsSubscription implements Subscription {

    private static final Logger log = LoggerFactory.getLogger(JmsSubscription.class);

    private final Endpoint endpoint;
    private final Receiver receiver;
    private final CountDownLatch stop = new CountDownLatch(1);
    private final List<Thread> threads = new ArrayList<>();

    private JmsSubscription(Endpoint endpoint, Receiver receiver) {
        this.endpoint = endpoint;
        this.receiver = receiver;
    }

    /** Connects first, so that what cannot work is said to the caller. A broker that is away is waited for in the background. */
    static JmsSubscription start(Endpoint endpoint, String queue, SubscriptionOptions options, Receiver receiver) {
        var subscription = new JmsSubscription(endpoint, receiver);
        var loops = new ArrayList<ReceiveLoop>();
        try {
            for (int i = 0; i < options.concurrency(); i++) {
                var loop = new ReceiveLoop(endpoint, queue, options, receiver, new Pause(subscription.stop));
                loops.add(loop);
                loop.connect();
            }
        } catch (JMSException | RuntimeException e) {
            String why = loops.get(loops.size() - 1).why(e);
            if (Fault.of(e) == Fault.MISCONFIGURED) {
                loops.forEach(ReceiveLoop::disconnect);
                throw new WaybillException("Nothing can be received from '" + options.source() + "'. " + why, e);
            }
            log.warn("WB-231 {} Receiving from {} is tried again in the background.", why, queue);
            while (loops.size() < options.concurrency()) {
                loops.add(new ReceiveLoop(endpoint, queue, options, receiver, new Pause(subscription.stop)));
            }
        }
        loops.forEach(subscription::run);
        endpoint.keep(subscription);
        return subscription;
    }

    private void run(ReceiveLoop loop) {
        var thread = new Thread(loop, "waybill-jms-" + loop + "-" + (threads.size() + 1));
        thread.setDaemon(true);
        threads.add(thread);
        thread.start();
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
    }
}
