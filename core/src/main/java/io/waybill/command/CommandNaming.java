package io.waybill.command;

import io.waybill.WaybillException;
import java.util.Collection;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * Names of command queues: {@code {prefix}.{TYPE}.{suffix}}, for example {@code APP.CMD.CREATEORDER.Q}, and {@code APP.CMD.REPLY.Q}
 * for replies.
 *
 * @param queues types that share a queue with others, so that their commands of one business key keep their order
 */
public record CommandNaming(String prefix, String suffix, Map<String, String> queues) {

    public static final CommandNaming DEFAULT = new CommandNaming("APP.CMD", "Q", Map.of());

    private static final String REPLY = "REPLY";

    public CommandNaming {
        if (prefix.isBlank() || suffix.isBlank()) {
            throw new WaybillException("Queues of commands are called {prefix}.{TYPE}.{suffix}, but prefix is '"
                    + prefix + "' and suffix is '" + suffix + "'. Give both, such as APP.CMD and Q.");
        }
        queues = Map.copyOf(queues);
    }

    /** Sends commands of these types through one queue: commands of one business key then run in order across these types. */
    @SafeVarargs
    public final CommandNaming together(String queue, Class<? extends DomainCommand>... commands) {
        var more = new TreeMap<>(queues);
        for (Class<? extends DomainCommand> command : commands) {
            more.put(CommandTypes.of(command), queue);
        }
        return new CommandNaming(prefix, suffix, more);
    }

    /** Receives replies from this queue. Applications that send to the same workers need one each. */
    public CommandNaming repliesTo(String queue) {
        var more = new TreeMap<>(queues);
        more.put(REPLY, queue);
        return new CommandNaming(prefix, suffix, more);
    }

    /** The same, by the whole name of the queue. */
    public CommandNaming withReplyQueue(String queue) {
        String begin = prefix + ".";
        String end = "." + suffix;
        boolean fits = queue.startsWith(begin) && queue.endsWith(end) && queue.length() > begin.length() + end.length();
        CommandNaming named = fits ? repliesTo(queue.substring(begin.length(), queue.length() - end.length())) : this;
        if (!fits || !named.replyQueue().equals(queue)) {
            throw new WaybillException("A reply queue is called {prefix}.{NAME}.{suffix}, in upper case, such as "
                    + repliesTo("SHOP_REPLY").replyQueue() + ", but got '" + queue + "'.");
        }
        return named;
    }

    /**
     * The name of the application is part of the name of its reply queue, as in {@code APP.CMD.ORDERS_REPLY.Q}, unless {@link #repliesTo} has
     * named one: applications that send to the same workers must not take each other's replies.
     */
    public CommandNaming ofApplication(String name) {
        String part = name.strip().replaceAll("[^A-Za-z0-9_]+", "_");
        return part.isEmpty() || queues.containsKey(REPLY) ? this : repliesTo(part + "_" + REPLY);
    }

    /**
     * The same for an application that is configured: where its settings name the reply queue without the name of the application, that one
     * is used.
     *
     * @param configured queues, and patterns of routes, that the settings of the application name
     */
    public CommandNaming ofApplication(String name, Collection<String> configured) {
        return configured.contains(replyQueue()) ? this : ofApplication(name);
    }

    /** The queue of commands of this type. */
    public String queueOf(String type) {
        return name(queues.getOrDefault(type, type));
    }

    /** The queue of replies. */
    public String replyQueue() {
        return name(queues.getOrDefault(REPLY, REPLY));
    }

    private String name(String middle) {
        return prefix + "." + middle.toUpperCase(Locale.ROOT) + "." + suffix;
    }
}
