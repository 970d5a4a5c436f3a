package io.waybill.runtime;

import io.waybill.Time;
import io.waybill.WaybillException;
import io.waybill.command.execution.CommandReceiver;
import io.waybill.command.execution.CommandRuntime;
import io.waybill.transport.Broker;
import io.waybill.transport.Subscription;
import io.waybill.transport.SubscriptionOptions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Where commands and answers come from that brokers bring.
 *
 * @param commandsFrom the URL of the broker, or nothing
 * @param repliesFrom the same for answers
 * @param concurrency how many batches are taken from each queue of commands at once
 * @param batchSize how many messages such a batch has at most
 */
record CommandConsumers(
        @Nullable String commandsFrom, @Nullable String repliesFrom, int concurrency, int batchSize, boolean inOrder) {

    static final CommandConsumers NONE = new CommandConsumers(null, null, 1, 100, true);

    private static final Duration NO_ANSWER = Duration.ofSeconds(2);

    CommandConsumers commandsFrom(String url) {
        return new CommandConsumers(url, repliesFrom, concurrency, batchSize, inOrder);
    }

    CommandConsumers repliesFrom(String url) {
        return new CommandConsumers(commandsFrom, url, concurrency, batchSize, inOrder);
    }

    CommandConsumers concurrency(int batches) {
        return new CommandConsumers(commandsFrom, repliesFrom, batches, batchSize, inOrder);
    }

    CommandConsumers batchSize(int messages) {
        return new CommandConsumers(commandsFrom, repliesFrom, concurrency, messages, inOrder);
    }

    CommandConsumers inAnyOrder() {
        return new CommandConsumers(commandsFrom, repliesFrom, concurrency, batchSize, false);
    }

    boolean takeCommands() {
        return commandsFrom != null;
    }

    boolean takeReplies() {
        return repliesFrom != null;
    }

    /** Reports all queues that cannot be received from at once, unless the broker does not respond. */
    void start(CommandReceiver receiver, Subscriptions subscriptions, CommandRuntime commandRuntime) {
        var failures = new ArrayList<WaybillException>();
        if (commandsFrom != null) {
            Broker broker = subscriptions.broker(commandsFrom);
            for (String queue : commandRuntime.queues()) {
                var since = Time.system().stopwatch();
                attempt(() -> subscriptions.from(broker, commandsOf(queue), receiver.commands(queue)), failures);
                if (!failures.isEmpty() && since.hasReached(NO_ANSWER)) {
                    break;
                }
            }
        }
        if (repliesFrom != null) {
            Broker broker = subscriptions.broker(repliesFrom);
            var options = SubscriptionOptions.to(commandRuntime.replyQueue(), commandRuntime.replyQueue())
                    .batchSize(batchSize);
            attempt(() -> subscriptions.from(broker, options.unordered(), receiver.replies()), failures);
        }
        if (!failures.isEmpty()) {
            throw new WaybillException(
                    failures.stream().map(Throwable::getMessage).collect(Collectors.joining("\n")), failures.get(0));
        }
    }

    private static void attempt(Supplier<Subscription> subscribing, List<WaybillException> failures) {
        try {
            Subscription unused = subscribing.get();
        } catch (WaybillException e) {
            failures.add(e);
        }
    }

    /** A group of its own for each queue: in Kafka those who join a group interrupt all who are in it. */
    private SubscriptionOptions commandsOf(String queue) {
        var options =
                SubscriptionOptions.to(queue, queue).concurrency(concurrency).batchSize(batchSize);
        return inOrder ? options : options.unordered();
    }
}
