package io.waybill.rabbitmq.receive;

import com.rabbitmq.client.ShutdownSignalException;
import io.waybill.rabbitmq.connection.AmqpProblem;
import io.waybill.rabbitmq.receive.Consumption.Arrival;
import io.waybill.transport.Receiver;
import io.waybill.transport.Subscription;
import io.waybill.transport.SubscriptionState;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Hands one batch after the other to the receiver and acknowledges it when it returns. A receiver that fails gets the same batch again
 * after a pause, on the same channel: to give it back would count as a delivery, and a queue with a delivery limit drops a message
 * after a few of those. When the broker is away, the queue has all its messages again in their order, and after a pause there is another
 * channel.
 */
final class ReceiverLoop {

    private static final Logger log = LoggerFactory.getLogger(ReceiverLoop.class);

    /** How often to look whether the queue has become free. */
    private static final Duration STANDBY_PAUSE = Duration.ofSeconds(1);

    private final Consumers consumers;
    private final Receiver receiver;
    private final String queue;
    private final SubscriptionState state;
    private final CountDownLatch stopping = new CountDownLatch(1);
    private final Thread thread = new Thread(this::run);
    private volatile @Nullable Consumption current;
    private int failures;
    private boolean standsBy;

    ReceiverLoop(Consumers consumers, Receiver receiver, String queue, SubscriptionState state) {
        this.consumers = consumers;
        this.receiver = receiver;
        this.queue = queue;
        this.state = state;
        thread.setName("waybill-receive-" + queue);
        thread.setDaemon(true);
    }

    /** With what is open already, if there is. */
    void start(Optional<Consumption> opened) {
        current = opened.orElse(null);
        thread.start();
    }

    void stop() {
        stopping.countDown();
        Consumption waiting = current;
        if (waiting != null) {
            waiting.wake();
        }
    }

    void join() {
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void run() {
        try {
            while (!isStopping() && !consumers.areOver()) {
                Consumption opened = opened();
                if (opened != null) {
                    try (opened) {
                        receive(opened);
                    } finally {
                        current = null;
                    }
                }
                rest();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private @Nullable Consumption opened() {
        Consumption first = current;
        if (first != null) {
            return first;
        }
        try {
            Consumption opened = consumers.open().orElse(null);
            current = opened;
            state.receives(this);
            tellStandby(opened == null);
            return opened;
        } catch (AmqpProblem e) {
            away(AmqpProblem.text(e));
            return null;
        }
    }

    /** Until something is wrong, or it is to stop. */
    private void receive(Consumption consumption) throws InterruptedException {
        while (!isStopping()) {
            List<Arrival> batch = consumption.next();
            String ended = consumption.ended();
            if (ended != null) {
                away(ended);
                return;
            }
            if (!batch.isEmpty() && !isStopping() && !isHandedOver(batch, consumption)) {
                return;
            }
        }
    }

    /** Again and again until the receiver takes it, as long as the messages are this channel's. */
    private boolean isHandedOver(List<Arrival> batch, Consumption consumption) throws InterruptedException {
        while (!isReceived(batch)) {
            rest();
            if (isStopping() || consumption.ended() != null) {
                return false;
            }
        }
        return isAcknowledged(batch, consumption);
    }

    private boolean isReceived(List<Arrival> batch) {
        try {
            receiver.receive(batch.stream().map(Arrival::delivery).toList());
            return true;
        } catch (Throwable e) { // An error of a handler must not end the loop either.
            if (isStopping()) {
                log.debug("The receiver of {} stops and hands {} messages back.", queue, batch.size(), e);
                return false;
            }
            state.failed(this, "WB-211", "the receiver failed: " + AmqpProblem.text(e));
            log.debug("WB-211", e);
            return false;
        }
    }

    private boolean isAcknowledged(List<Arrival> batch, Consumption consumption) {
        try {
            consumption.acknowledge(batch.get(batch.size() - 1));
            failures = 0;
            state.receives(this);
            return true;
        } catch (IOException | ShutdownSignalException e) {
            away(AmqpProblem.Closing.of(e).toString());
            return false;
        }
    }

    private void rest() throws InterruptedException {
        Duration pause = Subscription.BACKOFF.delay(failures);
        boolean tooLong = standsBy && pause.compareTo(STANDBY_PAUSE) > 0;
        Duration now = tooLong ? STANDBY_PAUSE : pause;
        if (!stopping.await(now.toMillis(), TimeUnit.MILLISECONDS) && !tooLong) {
            failures++;
        }
    }

    private boolean isStopping() {
        return stopping.getCount() == 0;
    }

    private void away(String reason) {
        if (!consumers.areOver()) {
            state.failed(this, "WB-212", reason);
        }
    }

    private void tellStandby(boolean now) {
        if (now && !standsBy) {
            log.info("{} has another consumer. This one stands by and takes over when the queue is free.", queue);
        } else if (standsBy && !now) {
            log.info("{} is free: this consumer has taken over.", queue);
        }
        standsBy = now;
    }
}
