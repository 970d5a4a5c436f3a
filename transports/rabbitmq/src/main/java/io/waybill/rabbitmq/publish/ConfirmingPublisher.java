package io.waybill.rabbitmq.publish;

import com.rabbitmq.client.AMQP.BasicProperties;
import io.waybill.message.Envelope;
import io.waybill.rabbitmq.connection.AmqpLink;
import io.waybill.rabbitmq.connection.AmqpProblem;
import io.waybill.rabbitmq.connection.AmqpProblem.Closing;
import io.waybill.rabbitmq.connection.AmqpProperties;
import io.waybill.rabbitmq.connection.Connector;
import io.waybill.rabbitmq.connection.RabbitMqOptions;
import io.waybill.rabbitmq.publish.ConfirmBatch.Item;
import io.waybill.rabbitmq.publish.ConfirmChannel.Answer;
import io.waybill.rabbitmq.publish.ConfirmChannel.Closed;
import io.waybill.rabbitmq.publish.ConfirmChannel.Confirmed;
import io.waybill.rabbitmq.publish.ConfirmChannel.Returned;
import io.waybill.transport.Deadline;
import io.waybill.transport.Outcome;
import io.waybill.transport.Publisher;
import io.waybill.transport.wire.WireFormat;
import io.waybill.transport.wire.WireMessage;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Sends persistent, mandatory messages and waits until the broker has confirmed them: of one key one at a time, of many keys
 * many.
 *
 * <p>When the broker closes the channel for one of several messages that were on their way, it does not say for which. Then
 * those are sent again one by one, and the one that closes it once more is to blame.
 */
public final class ConfirmingPublisher implements Publisher {

    private final Connector connector;
    private final String relay;
    private final WireFormat format;
    private final RabbitMqOptions options;
    private @Nullable AmqpLink link;
    private @Nullable ConfirmChannel channel;

    public ConfirmingPublisher(Connector connector, String relay, WireFormat format, RabbitMqOptions options) {
        this.connector = connector;
        this.relay = relay;
        this.format = format;
        this.options = options;
    }

    @Override
    public List<Outcome> publish(List<Envelope> messages, Deadline deadline) {
        var batch = new ConfirmBatch(messages);
        try {
            forgetWhatHasEnded();
            while (!send(batch, deadline) || batch.isWaiting()) {
                heed(answer(), batch);
            }
        } catch (AmqpProblem e) {
            disconnect();
            batch.stop(e.outcome());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            disconnect();
            batch.stop(new Outcome.Unavailable("Waiting for " + connector + " was interrupted."));
        }
        return batch.outcomes();
    }

    /** Sends as many as may be on their way; false when the channel has ended, which its last answer explains. */
    private boolean send(ConfirmBatch batch, Deadline deadline) throws AmqpProblem {
        while (batch.maySend(options.inFlight()) && !deadline.hasPassed()) {
            ConfirmChannel open = channel;
            if (open == null) {
                channel(); // That may have taken a while, so the deadline is asked again.
                continue;
            }
            Item item = batch.next();
            PublishTarget target = PublishTarget.of(item.message.destination(), options.exchange());
            if (target.isTooLong()) {
                batch.misconfigured(
                        item,
                        "The exchange or the routing key of '" + item.message.destination()
                                + "' is longer than the 255 bytes that AMQP allows.");
            } else if (!send(item, target, open, batch)) {
                return false;
            }
        }
        return true;
    }

    private boolean send(Item item, PublishTarget target, ConfirmChannel open, ConfirmBatch batch) {
        WireMessage wire;
        BasicProperties properties;
        try {
            wire = format.write(item.message, AmqpProperties.CLOUDEVENTS_PREFIX);
            properties = AmqpProperties.of(item.message, wire, options.sendKey());
        } catch (RuntimeException | StackOverflowError | LinkageError e) {
            batch.refused(item, Outcome.notEncodable(e).reason());
            return true;
        }
        long number = open.nextNumber();
        batch.sent(number, item);
        try {
            boolean sent = open.send(target, properties, wire.body());
            if (!sent) {
                batch.giveBack(number);
            }
            return sent;
        } catch (IllegalArgumentException e) {
            batch.answered(number, false);
            batch.refused(item, "AMQP cannot carry it: " + AmqpProblem.text(e));
            open.close(); // The client has counted a message that the broker has not.
            return false;
        }
    }

    private Answer answer() throws AmqpProblem, InterruptedException {
        Answer answer = channel().answer(options.confirmTimeout());
        if (answer == null) {
            throw AmqpProblem.away(connector + " has confirmed nothing for "
                    + options.confirmTimeout().toSeconds() + " s. The messages are sent again.");
        }
        return answer;
    }

    private void heed(Answer answer, ConfirmBatch batch) throws AmqpProblem {
        if (answer instanceof Confirmed confirmed) {
            for (Item item : batch.answered(confirmed.number(), confirmed.multiple())) {
                settle(item, confirmed.taken(), batch);
            }
        } else if (answer instanceof Returned returned) {
            batch.returned(returned.target(), returned.messageId(), returned.reason(), options.exchange());
        } else if (answer instanceof Closed closed) {
            blame(closed, batch);
        }
    }

    private void settle(Item item, boolean taken, ConfirmBatch batch) {
        String destination = item.message.destination();
        if (item.returned != null) {
            PublishTarget target = PublishTarget.of(destination, options.exchange());
            if (target.isQueue()) {
                batch.misconfigured(item, connector + " has no queue '" + destination + "' (" + item.returned + ").");
            } else {
                batch.refused(
                        item,
                        "No queue receives messages that are published to the exchange '" + target.exchange()
                                + "' with the routing key '" + target.routingKey() + "' (" + item.returned
                                + "). Bind one.");
            }
        } else if (taken) {
            batch.accepted(item);
        } else {
            batch.refused(
                    item,
                    "The broker did not take it for '" + destination
                            + "' (basic.nack): a queue is full and refuses more, or could not store it.");
        }
    }

    private void blame(Closed closed, ConfirmBatch batch) throws AmqpProblem {
        channel = null;
        Closing closing = closed.closing();
        boolean byUs = closing.isAsAsked() && !closed.connectionToo();
        if (closing.isNobodysFault() && !byUs) {
            throw link().lost(closing);
        }
        if (closed.connectionToo()) {
            link = null;
        }
        Optional<Item> guilty = byUs ? Optional.empty() : batch.alone();
        if (guilty.isEmpty()) {
            batch.doubtAll();
        } else if (closing.isSetUpWrongly()) {
            batch.misconfigured(
                    guilty.get(),
                    "Nothing can be published to '" + guilty.get().message.destination() + "' at " + connector + ": "
                            + closing);
        } else {
            batch.refused(guilty.get(), connector + " refuses it: " + closing);
        }
    }

    private ConfirmChannel channel() throws AmqpProblem {
        ConfirmChannel open = channel;
        if (open == null) {
            open = ConfirmChannel.on(link());
            channel = open;
        }
        return open;
    }

    private AmqpLink link() throws AmqpProblem {
        AmqpLink open = link;
        if (open == null) {
            open = connector.connect("publisher of " + relay);
            open.endWhenBlocked();
            link = open;
        }
        return open;
    }

    /** What ended while nothing was on its way is nobody's concern. */
    private void forgetWhatHasEnded() {
        if (channel != null && !channel.isOpen()) {
            channel = null;
        }
        if (link != null && !link.isOpen()) {
            link = null;
        }
    }

    /** Nothing of what was written but not confirmed may be answered later, under a number of another channel. */
    private void disconnect() {
        channel = null;
        if (link != null) {
            link.cut();
            link = null;
        }
    }

    @Override
    public void close() {
        channel = null;
        if (link != null) {
            link.close();
            link = null;
        }
    }
}
