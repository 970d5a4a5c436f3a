package io.waybill.rabbitmq.publish;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.AlreadyClosedException;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.ShutdownSignalException;
import io.waybill.rabbitmq.connection.AmqpLink;
import io.waybill.rabbitmq.connection.AmqpProblem;
import io.waybill.rabbitmq.connection.AmqpProblem.Closing;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A channel on which every message is answered. The answers come on a thread of the client, which must not be held up, and wait
 * here in their order for the one who sends.
 */
final class ConfirmChannel {

    /** What the broker says. */
    sealed interface Answer {}

    /** It has this message, or does not take it; with {@code multiple} also all before it that were not answered. */
    record Confirmed(long number, boolean multiple, boolean taken) implements Answer {}

    /** No queue gets this message. RabbitMQ says so before it confirms it. */
    record Returned(PublishTarget target, String messageId, String reason) implements Answer {}

    /** There will be no more answers. */
    record Closed(Closing closing, boolean connectionToo) implements Answer {}

    private final Channel channel;
    private final BlockingQueue<Answer> answers = new LinkedBlockingQueue<>();

    private ConfirmChannel(Channel channel) {
        this.channel = channel;
    }

    static ConfirmChannel on(AmqpLink link) throws AmqpProblem {
        Channel channel = link.openChannel();
        var confirming = new ConfirmChannel(channel);
        try {
            channel.addConfirmListener(
                    (number, multiple) -> confirming.answers.add(new Confirmed(number, multiple, true)),
                    (number, multiple) -> confirming.answers.add(new Confirmed(number, multiple, false)));
            channel.addReturnListener(returned -> confirming.answers.add(new Returned(
                    new PublishTarget(returned.getExchange(), returned.getRoutingKey()),
                    String.valueOf(returned.getProperties().getMessageId()),
                    returned.getReplyCode() + " " + returned.getReplyText())));
            channel.addShutdownListener(
                    signal -> confirming.answers.add(new Closed(Closing.of(signal), signal.isHardError())));
            channel.confirmSelect();
            return confirming;
        } catch (IOException | ShutdownSignalException e) {
            throw link.lost(Closing.of(e));
        }
    }

    boolean isOpen() {
        return channel.isOpen();
    }

    /** The number under which the next message is confirmed. */
    long nextNumber() {
        return channel.getNextPublishSeqNo();
    }

    /**
     * Sends, mandatory.
     *
     * @return false when nothing was sent because the channel had ended. When it ends in the meantime that is an answer.
     * @throws IllegalArgumentException when AMQP cannot carry this message; its number is used up nevertheless
     */
    boolean send(PublishTarget target, BasicProperties properties, byte[] body) {
        try {
            channel.basicPublish(target.exchange(), target.routingKey(), true, properties, body);
            return true;
        } catch (AlreadyClosedException e) {
            return false;
        } catch (IOException e) {
            return true;
        }
    }

    /** The next answer; nothing when none came in time. */
    @Nullable
    Answer answer(Duration patience) throws InterruptedException {
        return answers.poll(patience.toNanos(), TimeUnit.NANOSECONDS);
    }

    /** Ends the channel; that it has ended is its last answer. */
    void close() {
        AmqpLink.end(channel);
    }
}
