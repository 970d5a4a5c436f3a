package io.waybill.rabbitmq.receive;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.DefaultConsumer;
import com.rabbitmq.client.ShutdownSignalException;
import io.waybill.rabbitmq.connection.AmqpLink;
import io.waybill.rabbitmq.connection.AmqpProblem;
import io.waybill.rabbitmq.connection.AmqpProblem.Closing;
import io.waybill.rabbitmq.connection.SharedLink;
import io.waybill.transport.SubscriptionOptions;
import java.io.IOException;
import java.util.Map;
import java.util.Optional;

/**
 * Opens the consumers of a subscription. One that keeps order consumes exclusively: while it does, nobody else gets messages of
 * the queue, and while somebody else does, it stands by.
 *
 * <p><i>Threads:</i> safe, because one that is exclusive has one loop.
 */
final class Consumers {

    private final SharedLink link;
    private final SubscriptionOptions options;
    private final boolean exclusive;
    private boolean isKnownToBeAlone;

    Consumers(SharedLink link, SubscriptionOptions options, boolean exclusive) {
        this.link = link;
        this.options = options;
        this.exclusive = exclusive;
    }

    /** Empty when another consumer has the queue, and this one must have it alone. */
    Optional<Consumption> open() throws AmqpProblem {
        if (exclusive && isInUse()) {
            return Optional.empty();
        }
        AmqpLink open = link.get();
        Channel channel = open.openChannel();
        try {
            Consumption opened = Consumption.start(channel, options, exclusive);
            requireToBeAlone(opened);
            return Optional.of(opened);
        } catch (IOException | ShutdownSignalException e) {
            AmqpLink.end(channel);
            Closing closing = Closing.of(e);
            if (closing.isNobodysFault()) {
                throw open.lost(closing);
            }
            if (exclusive && closing.isAccessRefused() && isInUse()) {
                return Optional.empty();
            }
            throw AmqpProblem.wrong(link + " refuses: " + closing + explanation(closing), e);
        }
    }

    /** Tries it out, once: a broker may say yes to exclusive use and not keep it. Nothing has been received yet. */
    private void requireToBeAlone(Consumption opened) throws AmqpProblem {
        if (exclusive && !isKnownToBeAlone) {
            if (isShared()) {
                opened.close();
                throw AmqpProblem.wrong(
                        "its order cannot be kept, because " + link + " lets others consume it besides one that asked"
                                + " for exclusive use, as quorum queues do. Declare the queue with"
                                + " x-single-active-consumer and say so (single-active-consumer=true), or declare the"
                                + " subscription unordered.",
                        null);
            }
            isKnownToBeAlone = true;
        }
    }

    /** Whether nobody will open any more. */
    boolean areOver() {
        return link.isOver();
    }

    private String explanation(Closing closing) {
        return exclusive && closing.isAccessRefused()
                ? ". Either this user may not read the queue, or it is declared with x-single-active-consumer: then say so"
                        + " (single-active-consumer=true)."
                : "";
    }

    private boolean isInUse() throws AmqpProblem {
        return answers(
                link.get(),
                channel -> channel.queueDeclarePassive(options.source()).getConsumerCount() > 0);
    }

    /** Whether another can consume although one does exclusively. Asked apart: Qpid ends the whole connection over it. */
    private boolean isShared() throws AmqpProblem {
        try (AmqpLink other = link.another()) {
            return answers(other, channel -> {
                channel.basicQos(1);
                channel.basicConsume(options.source(), false, "", false, false, Map.of(), new DefaultConsumer(channel));
                return true;
            });
        }
    }

    /** What the broker says on a channel that is not used again; false when it refuses. */
    private static boolean answers(AmqpLink open, Question question) throws AmqpProblem {
        Channel channel = open.openChannel();
        try {
            return question.ask(channel);
        } catch (IOException | ShutdownSignalException e) {
            Closing closing = Closing.of(e);
            if (closing.isNobodysFault()) {
                throw open.lost(closing);
            }
            return false;
        } finally {
            AmqpLink.end(channel);
        }
    }

    private interface Question {
        boolean ask(Channel channel) throws IOException;
    }
}
