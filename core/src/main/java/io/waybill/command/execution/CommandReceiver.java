package io.waybill.command.execution;

import io.waybill.inbox.Inbox;
import io.waybill.inbox.ReceivingOptions;
import io.waybill.inbox.Subscriber;
import io.waybill.inbox.receive.BatchReceiver;
import io.waybill.inbox.receive.FailAtOnce;
import io.waybill.message.Payload;
import io.waybill.message.PayloadCodec;
import io.waybill.observe.InboxListener;
import io.waybill.relay.route.Route;
import io.waybill.store.failed.FailedStore;
import io.waybill.store.inbox.WaitingKeys;
import io.waybill.store.outbox.OutboxStore;
import io.waybill.transport.Delivery;
import io.waybill.transport.Receiver;
import java.util.List;

/**
 * Takes commands and replies from a broker. A command that its handler cannot handle is answered, and so is done with: what to do about
 * it is for its sender to decide. Only what says that it may go away is tried again here first, as it would be in the sender's process.
 */
public final class CommandReceiver {

    private final CommandRuntime commandRuntime;
    private final Inbox inbox;
    private final OutboxStore outbox;
    private final WaitingKeys waiting;
    private final FailedStore failed;
    private final int messagesPerCommit;
    private final InboxListener listener;

    /** @param messagesPerCommit how many commands of a batch share a transaction */
    public CommandReceiver(
            CommandRuntime commandRuntime,
            Inbox inbox,
            OutboxStore outbox,
            WaitingKeys waiting,
            FailedStore failed,
            int messagesPerCommit,
            InboxListener listener) {
        this.commandRuntime = commandRuntime;
        this.inbox = inbox;
        this.outbox = outbox;
        this.waiting = waiting;
        this.failed = failed;
        this.messagesPerCommit = messagesPerCommit;
        this.listener = listener;
    }

    /** Takes commands from this queue. */
    public Receiver commands(String queue) {
        var subscriber = Subscriber.of(
                queue,
                Payload.class,
                PayloadCodec.found(),
                received -> commandRuntime.received(received.message(), received.transaction()));
        return new SmallBatches(
                new BatchReceiver(
                        subscriber, inbox, failed, failureHandling(queue), ReceivingOptions.DEFAULT.tries(1), listener),
                messagesPerCommit);
    }

    /** The routes of commands from brokers that are tried again in this process. */
    public List<Route> routes() {
        return commandRuntime.queues().stream()
                .map(queue -> failureHandling(queue).route(inbox.transactions()))
                .toList();
    }

    private CommandFailureHandling failureHandling(String queue) {
        return new CommandFailureHandling(commandRuntime, queue, outbox, waiting, new FailAtOnce(failed, queue));
    }

    /** Takes replies. */
    public Receiver replies() {
        var subscriber = Subscriber.of(
                commandRuntime.replyQueue(),
                Payload.class,
                PayloadCodec.found(),
                received -> commandRuntime.takeReply(received.message(), received.transaction()));
        return new BatchReceiver(
                subscriber,
                inbox,
                failed,
                new FailAtOnce(failed, commandRuntime.replyQueue()),
                ReceivingOptions.DEFAULT,
                listener);
    }

    /** Commits a broker's batch in parts. When a part cannot be committed all are delivered again, and the inbox knows those that were. */
    private record SmallBatches(Receiver receiver, int size) implements Receiver {
        @Override
        public void receive(List<Delivery> batch) throws Exception {
            for (int from = 0; from < batch.size(); from += size) {
                receiver.receive(batch.subList(from, Math.min(batch.size(), from + size)));
            }
        }

        @Override
        public void stop() {
            receiver.stop();
        }
    }
}
