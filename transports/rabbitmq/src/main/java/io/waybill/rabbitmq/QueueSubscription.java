package io.waybill.rabbitmq;

import io.waybill.WaybillException;
import io.waybill.transport.Receiver;
import io.waybill.transport.Subscription;
import io.waybill.transport.SubscriptionOptions;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * Receives from one queue, on one connection, with as many loops as batches may be received at once.
 *
 * <p><i>Threads:</i> safe.
 */
final class QueueSubscription implements Subscription {

    private final SharedLink link;
    private final List<ReceiverLoop> loops;
    private final Receiver receiver;

    private QueueSubscription(SharedLink link, List<ReceiverLoop> loops, Receiver receiver) {
        this.link = link;
        this.receiver = receiver;
        this.loops = loops;
    }

    /**
     * Starts, or says why it cannot.
     *
     * @param singleActiveConsumer the broker sees to it that one consumer at a time gets messages of this queue
     */
    static QueueSubscription start(
            Connector connector, SubscriptionOptions options, boolean singleActiveConsumer, Receiver receiver) {
        requireOneConsumer(options);
        var link = new SharedLink(connector, "subscription of " + options.group() + " to " + options.source());
        var consumers = new Consumers(link, options, options.ordered() && !singleActiveConsumer);
        try {
            Optional<Consumption> first = consumers.open();
            List<ReceiverLoop> loops = IntStream.range(0, options.concurrency())
                    .mapToObj(number -> new ReceiverLoop(consumers, receiver, options.source()))
                    .toList();
            loops.get(0).start(first);
            loops.stream().skip(1).forEach(loop -> loop.start(Optional.empty()));
            return new QueueSubscription(link, loops, receiver);
        } catch (AmqpProblem e) {
            link.close();
            throw new WaybillException("'" + options.source() + "' cannot be received from: " + e.getMessage(), e);
        }
    }

    private static void requireOneConsumer(SubscriptionOptions options) {
        if (options.ordered() && options.concurrency() > 1) {
            throw new WaybillException("The subscription to '" + options.source() + "' is ordered and has concurrency "
                    + options.concurrency() + ", but RabbitMQ keeps the order of a queue for one consumer only."
                    + " Set concurrency to 1, divide the messages among several queues, or declare it unordered.");
        }
    }

    @Override
    public void close() {
        loops.forEach(ReceiverLoop::stop);
        receiver.stop();
        loops.forEach(ReceiverLoop::join);
        link.close();
    }
}
