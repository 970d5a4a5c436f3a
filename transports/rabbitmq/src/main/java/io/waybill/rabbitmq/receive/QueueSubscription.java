package io.waybill.rabbitmq.receive;

import io.waybill.Time;
import io.waybill.WaybillException;
import io.waybill.rabbitmq.connection.AmqpProblem;
import io.waybill.rabbitmq.connection.SharedLink;
import io.waybill.transport.Receiver;
import io.waybill.transport.Subscription;
import io.waybill.transport.SubscriptionOptions;
import io.waybill.transport.SubscriptionState;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Receives from one queue, with as many loops as batches may be received at once, each on a channel of its own.
 *
 * <p><i>Threads:</i> safe.
 */
public final class QueueSubscription implements Subscription {

    private static final Logger log = LoggerFactory.getLogger(QueueSubscription.class);

    private final SharedLink link;
    private final List<ReceiverLoop> loops;
    private final Receiver receiver;
    private final SubscriptionState state;
    private final AtomicBoolean closed = new AtomicBoolean();

    private QueueSubscription(SharedLink link, List<ReceiverLoop> loops, Receiver receiver, SubscriptionState state) {
        this.link = link;
        this.receiver = receiver;
        this.loops = loops;
        this.state = state;
    }

    /**
     * Starts, or says why it cannot.
     *
     * @param singleActiveConsumer the broker sees to it that one consumer at a time gets messages of this queue
     */
    public static QueueSubscription start(
            SharedLink shared, SubscriptionOptions options, boolean singleActiveConsumer, Receiver receiver) {
        requireOneConsumer(options, singleActiveConsumer);
        SharedLink link = shared.use();
        var consumers = new Consumers(link, options, options.ordered() && !singleActiveConsumer);
        var state = new SubscriptionState(log, options, Time.system());
        try {
            Optional<Consumption> first = consumers.open();
            List<ReceiverLoop> loops = IntStream.range(0, options.concurrency())
                    .mapToObj(number -> new ReceiverLoop(consumers, receiver, options.source(), state))
                    .toList();
            loops.get(0).start(first);
            loops.stream().skip(1).forEach(loop -> loop.start(Optional.empty()));
            return new QueueSubscription(link, loops, receiver, state);
        } catch (AmqpProblem e) {
            link.close();
            throw new WaybillException("'" + options.source() + "' cannot be received from: " + e.getMessage(), e);
        }
    }

    private static void requireOneConsumer(SubscriptionOptions options, boolean singleActiveConsumer) {
        if (options.ordered() && options.concurrency() > 1 && !singleActiveConsumer) {
            throw new WaybillException("The subscription to '" + options.source() + "' is ordered and has concurrency "
                    + options.concurrency() + ", but RabbitMQ keeps the order of a queue for one consumer only."
                    + " Set concurrency to 1, divide the messages among several queues, or declare it unordered.");
        }
    }

    @Override
    public Optional<String> problem() {
        return state.problem();
    }

    @Override
    public void close() {
        loops.forEach(ReceiverLoop::stop);
        receiver.stop();
        loops.forEach(ReceiverLoop::join);
        if (!closed.getAndSet(true)) {
            link.close();
        }
        state.closed();
    }
}
