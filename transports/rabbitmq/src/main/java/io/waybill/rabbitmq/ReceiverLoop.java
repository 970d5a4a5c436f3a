package io.waybill.rabbitmq;

import com.rabbitmq.client.ShutdownSignalException;
import io.waybill.rabbitmq.Consumption.Arrival;
import io.waybill.transport.Receiver;
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
 * Hands one batch after the other to the receiver and acknowledges it when it returns. When the receiver fails, or the broker is
 * away, the channel is given up, so that the queue has all its messages again in their order, and after a pause there is another.
 */
final class ReceiverLoop {

    private static final Logger log = LoggerFactory.getLogger(ReceiverLoop.class);

    /** 100 ms, 200 ms … 10 s. */
    private static final Duration SHORTEST_PAUSE = Duration.ofMillis(100);

    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(10);

    /** How often to look whether the queue has become free. */
    private static final Duration STANDBY_PAUSE = Duration.ofSeconds(1);

    private final Consumers consumers;
    private final Receiver receiver;
    private final String queue;
    private final CountDownLatch stopping = new CountDownLatch(1);
    private final Thread thread = new Thread(this::run);
    private volatile @Nullable Consumption current;
    private Duration pause = SHORTEST_PAUSE;
    private State state = State.RECEIVING;

    ReceiverLoop(Consumers consumers, Receiver receiver, String queue) {
        this.consumers = consumers;
        this.receiver = receiver;
        this.queue = queue;
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
            tell(opened == null ? State.STANDING_BY : State.RECEIVING, "another consumer has it");
            return opened;
        } catch (AmqpProblem e) {
            tell(State.AWAY, AmqpProblem.text(e));
            return null;
        }
    }

    /** Until something is wrong, or it is to stop. */
    private void receive(Consumption consumption) throws InterruptedException {
        while (!isStopping()) {
            List<Arrival> batch = consumption.next();
            String ended = consumption.ended();
            if (ended != null) {
                tell(State.AWAY, ended);
                return;
            }
            if (!batch.isEmpty() && !isStopping() && !(isReceived(batch) && isAcknowledged(batch, consumption))) {
                return;
            }
        }
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
            log.warn(
                    "WB-211 {} messages from {} could not be received and come again in {} ms: {}",
                    batch.size(),
                    queue,
                    pause.toMillis(),
                    AmqpProblem.text(e),
                    e);
            return false;
        }
    }

    private boolean isAcknowledged(List<Arrival> batch, Consumption consumption) {
        try {
            consumption.acknowledge(batch.get(batch.size() - 1));
            pause = SHORTEST_PAUSE;
            return true;
        } catch (IOException | ShutdownSignalException e) {
            tell(State.AWAY, AmqpProblem.Closing.of(e).toString());
            return false;
        }
    }

    private void rest() throws InterruptedException {
        Duration longest = state == State.STANDING_BY ? STANDBY_PAUSE : LONGEST_PAUSE;
        Duration now = pause.compareTo(longest) < 0 ? pause : longest;
        if (!stopping.await(now.toMillis(), TimeUnit.MILLISECONDS)) {
            pause = now.multipliedBy(2);
        }
    }

    private boolean isStopping() {
        return stopping.getCount() == 0;
    }

    private void tell(State now, String reason) {
        if (now != state && !consumers.areOver()) {
            state = now;
            now.tell(queue, reason);
        }
    }

    private enum State {
        RECEIVING {
            @Override
            void tell(String queue, String reason) {
                log.info("Messages are received from {} again.", queue);
            }
        },
        STANDING_BY {
            @Override
            void tell(String queue, String reason) {
                log.info("Messages of {} will be received when they can be received in order: {}.", queue, reason);
            }
        },
        AWAY {
            @Override
            void tell(String queue, String reason) {
                log.warn("WB-212 Nothing is received from {} until it can be consumed again: {}", queue, reason);
            }
        };

        abstract void tell(String queue, String reason);
    }
}
