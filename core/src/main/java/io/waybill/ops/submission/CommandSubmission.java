package io.waybill.ops.submission;

import io.waybill.Time;
import io.waybill.WaybillException;
import io.waybill.command.CommandNaming;
import io.waybill.command.CommandRetries;
import io.waybill.command.execution.CommandRuntime;
import io.waybill.command.handler.AutoCommandHandlerRegistry;
import io.waybill.command.store.CommandStore;
import io.waybill.message.DestinationPattern;
import io.waybill.message.PayloadCodec;
import io.waybill.outbox.Outbox;
import io.waybill.outbox.Unrouted;
import io.waybill.relay.route.AdvertisedDestinations;
import io.waybill.relay.route.ServedDestinations;
import io.waybill.store.Transactions;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;
import java.util.function.Supplier;

/**
 * Accepts commands by the names of their types, where neither their classes nor their handlers are. They take the same path as commands of
 * the application.
 *
 * <p><i>Threads:</i> safe. <i>Transaction:</i> its own.
 */
public final class CommandSubmission {

    private static final String REPLY = "REPLY";

    private final CommandStore store;
    private final Outbox outbox;
    private final Transactions transactions;
    private final PayloadCodec codec;
    private final Supplier<? extends Collection<String>> live;

    /** @param live what the relays that live serve, as they have written it */
    public CommandSubmission(
            CommandStore store,
            Outbox outbox,
            Transactions transactions,
            PayloadCodec codec,
            Supplier<? extends Collection<String>> live) {
        this.store = store;
        this.outbox = outbox;
        this.transactions = transactions;
        this.codec = codec;
        this.live = live;
    }

    /**
     * A command.
     *
     * @param idempotencyKey a second command with this key is the first one
     * @param businessKey may be empty
     * @param payload JSON
     * @param queue where it goes; where it is empty, the queue that a live application serves for the type, else the usual one
     */
    public record Request(
            String type,
            String idempotencyKey,
            String businessKey,
            String payload,
            Map<String, String> headers,
            String queue) {

        public Request {
            if (type.isBlank()) {
                throw new WaybillException("The type of the command is missing: it is the name of its class without"
                        + " 'Command' at the end, such as CreateOrder.");
            }
            headers = Map.copyOf(headers);
        }
    }

    /**
     * What became of a request.
     *
     * @param warning why nobody will run the command as things are; empty when an application does
     */
    public record Result(UUID commandId, String queue, String warning) {}

    /**
     * Accepts a command.
     *
     * @throws io.waybill.command.IdempotencyConflictException when its key belongs to a different command
     */
    public Result accept(Request request) {
        Collection<String> advertised = live.get();
        CommandNaming naming = naming(request, advertised);
        String queue = naming.queueOf(request.type());
        var runtime = new CommandRuntime(
                AutoCommandHandlerRegistry.of(),
                store,
                outbox,
                transactions,
                naming,
                CommandRetries.DEFAULT,
                codec,
                Time.system());
        try (runtime) {
            UUID id = runtime.bus()
                    .accept(
                            request.type(),
                            request.idempotencyKey(),
                            request.businessKey(),
                            request.payload(),
                            request.headers());
            return new Result(id, queue, warning(request.type(), queue, advertised));
        }
    }

    private static String warning(String type, String queue, Collection<String> advertised) {
        var served = new ServedDestinations(() -> advertised, Unrouted.WARN);
        served.refresh();
        return served.isServed(queue)
                ? ""
                : "No live application or relay serves " + queue + ", so the " + type + " waits until one does."
                        + served.nearest(queue)
                                .map(name -> " Did you mean '" + name + "'?")
                                .orElse("");
    }

    /** The names that the application uses, as far as its relays say them: the command must go where its handler looks for it. */
    private static CommandNaming naming(Request request, Collection<String> advertised) {
        List<String> names = advertised.stream()
                .flatMap(text -> AdvertisedDestinations.of(text).patterns())
                .filter(name -> name.indexOf('*') < 0 && !DestinationPattern.isReserved(name))
                .distinct()
                .toList();
        String middle = "." + request.type().toUpperCase(Locale.ROOT) + ".";
        List<String> queues = request.queue().isEmpty()
                ? names.stream()
                        .filter(name -> name.contains(middle)
                                && name.lastIndexOf('.') == name.indexOf(middle) + middle.length() - 1)
                        .toList()
                : List.of(request.queue());
        if (queues.size() > 1) {
            throw new WaybillException("More than one queue may be that of " + request.type() + ": "
                    + String.join(", ", queues) + ". Say which one.");
        }
        CommandNaming naming = queues.isEmpty() ? CommandNaming.DEFAULT : named(request.type(), queues.get(0));
        List<String> replies = names.stream()
                .filter(name -> name.startsWith(naming.prefix() + ".") && name.endsWith(REPLY + "." + naming.suffix()))
                .toList();
        return replies.size() == 1 ? naming.withReplyQueue(replies.get(0)) : naming;
    }

    private static CommandNaming named(String type, String queue) {
        int end = queue.lastIndexOf('.');
        int middle = queue.lastIndexOf('.', end - 1);
        if (middle < 1 || end == queue.length() - 1) {
            throw new WaybillException(
                    "A command queue is called {prefix}.{NAME}.{suffix}, such as APP.CMD.CREATEORDER.Q, but got '"
                            + queue + "'.");
        }
        var naming = new CommandNaming(
                queue.substring(0, middle), queue.substring(end + 1), Map.of(type, queue.substring(middle + 1, end)));
        if (!naming.queueOf(type).equals(queue)) {
            throw new WaybillException("The name of a command queue is in upper case, such as " + naming.queueOf(type)
                    + ", but got '" + queue + "'.");
        }
        return naming;
    }
}
