package io.waybill.command;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Callers that wait for answers. An answer that is given in this process is heard at once; others are looked for in the table of
 * commands while somebody waits.
 *
 * <p><i>Threads:</i> safe.
 */
final class ReplyWaiters implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(ReplyWaiters.class);
    private static final Duration LOOK_EVERY = Duration.ofMillis(100);

    private final CommandStore store;
    private final ReplyJson json;
    private final Map<UUID, CompletableFuture<CommandReply>> waiting = new ConcurrentHashMap<>();
    private final ScheduledExecutorService looking = Executors.newSingleThreadScheduledExecutor(work -> {
        var thread = new Thread(work, "waybill-replies");
        thread.setDaemon(true);
        return thread;
    });

    ReplyWaiters(CommandStore store, ReplyJson json) {
        this.store = store;
        this.json = json;
    }

    CompletableFuture<CommandReply> of(UUID commandId) {
        boolean first = waiting.isEmpty();
        var future = waiting.computeIfAbsent(commandId, none -> new CompletableFuture<>());
        if (first) {
            lookAgain();
        }
        return future;
    }

    void answered(CommandReply reply) {
        CompletableFuture<CommandReply> future = waiting.remove(reply.commandId());
        if (future != null) {
            future.complete(reply);
        }
    }

    @SuppressWarnings("FutureReturnValueIgnored")
    private void lookAgain() {
        looking.schedule(this::look, LOOK_EVERY.toMillis(), TimeUnit.MILLISECONDS);
    }

    private void look() {
        try {
            List<UUID> ids = List.copyOf(waiting.keySet());
            if (!ids.isEmpty()) {
                store.over(ids)
                        .forEach(command ->
                                answered(json.read(command.commandId(), command.correlationId(), command.reply())));
            }
        } catch (RuntimeException e) {
            log.warn("WB-501 Answers could not be looked for, and will be again: {}", e.getMessage());
        }
        if (!waiting.isEmpty()) {
            lookAgain();
        }
    }

    @Override
    public void close() {
        looking.shutdownNow();
        waiting.values().forEach(future -> future.cancel(false));
    }
}
