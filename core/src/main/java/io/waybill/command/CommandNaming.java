package io.waybill.command;

import io.waybill.WaybillException;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * What queues are called: {@code {prefix}.{TYPE}.{suffix}}, for example {@code APP.CMD.CREATEORDER.Q}, and {@code
 * APP.CMD.REPLY.Q} for answers.
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

    /** Commands of these types go through one queue: those of one business key then run in order whatever their type. */
    @SafeVarargs
    public final CommandNaming together(String queue, Class<? extends DomainCommand>... commands) {
        var more = new TreeMap<>(queues);
        for (Class<? extends DomainCommand> command : commands) {
            more.put(CommandTypes.of(command), queue);
        }
        return new CommandNaming(prefix, suffix, more);
    }

    /** Answers to commands from here go through this queue: applications that send to the same workers have one each. */
    public CommandNaming repliesTo(String queue) {
        var more = new TreeMap<>(queues);
        more.put(REPLY, queue);
        return new CommandNaming(prefix, suffix, more);
    }

    /**
     * The name of the application is part of the name of its reply queue, unless {@link #repliesTo} has named one: applications that send to the same
     * workers must not take each other's replies.
     */
    public CommandNaming ofApplication(String name) {
        String part = name.strip().replaceAll("[^A-Za-z0-9_-]+", "_");
        return part.isEmpty() || queues.containsKey(REPLY) ? this : repliesTo(REPLY + "." + part);
    }

    /** Where commands of this type go. */
    public String queueOf(String type) {
        return name(queues.getOrDefault(type, type));
    }

    /** Where answers go. */
    public String replyQueue() {
        return name(queues.getOrDefault(REPLY, REPLY));
    }

    private String name(String middle) {
        return prefix + "." + middle.toUpperCase(Locale.ROOT) + "." + suffix;
    }
}
