package io.waybill.command.execution;

import io.waybill.command.CommandReply;
import io.waybill.command.store.CommandStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Callers that wait for replies. A reply that is given in this process is heard at once; others are looked for in the table of
 * commands while somebody waits.
 *
 * <p><i>Threads:</i> safe; one lock for the bookkeeping, callers are told outside of it.
 */
final class ReplyWaiters implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(ReplyWaiters.class);
    private static final Duration LOOK_EVERY = Duration.ofMillis(100);

    /** How many commands are asked for at once: databases limit the parameters of a statement. */
    private static final int AT_ONCE = 500;

    private final CommandStore store;
    private final ReplyJson json;
    private final Map<UUID, List<CompletableFuture<CommandReply>>> waiting = new LinkedHashMap<>();
    private final ScheduledExecutorService looking = Executors.newSingleThreadScheduledExecutor(work -> {
        var thread = new Thread(work, "waybill-replies");
        thread.setDaemon(true);
        return thread;
    });
    private boolean willLook;

    ReplyWaiters(CommandStore store, ReplyJson json) {
        this.store = store;
        this.json = json;
    }

    /** Completes the future with the reply to this command, which is committed: one that is not would be looked for for ever. */
    synchronized void add(UUID commandId, CompletableFuture<CommandReply> future) {
        if (looking.isShutdown()) {
            future.cancel(false);
        } else {
            waiting.computeIfAbsent(commandId, none -> new ArrayList<>()).add(future);
            lookSoon();
        }
    }

    void replied(CommandReply reply) {
        taken(reply.commandId()).forEach(future -> future.complete(reply));
    }

    private synchronized List<CompletableFuture<CommandReply>> taken(UUID commandId) {
        List<CompletableFuture<CommandReply>> futures = waiting.remove(commandId);
        return futures == null ? List.of() : futures;
    }

    @SuppressWarnings("FutureReturnValueIgnored")
    private synchronized void lookSoon() {
        if (!willLook && !waiting.isEmpty() && !looking.isShutdown()) {
            willLook = true;
            looking.schedule(this::look, LOOK_EVERY.toMillis(), TimeUnit.MILLISECONDS);
        }
    }

    private void look() {
        try {
            List<UUID> ids = awaited();
            for (int from = 0; from < ids.size(); from += AT_ONCE) {
                store.over(ids.subList(from, Math.min(ids.size(), from + AT_ONCE)))
                        .forEach(command ->
                                replied(json.read(command.commandId(), command.correlationId(), command.reply())));
            }
        } catch (RuntimeException e) {
            log.warn("WB-501 Replies could not be read from the command table and are read again: {}", e.getMessage());
        }
        lookAgain();
    }

    /** The commands whose replies somebody still wants: who does not has cancelled the future. */
    private synchronized List<UUID> awaited() {
        waiting.values().removeIf(futures -> futures.stream().allMatch(CompletableFuture::isDone));
        return List.copyOf(waiting.keySet());
    }

    private synchronized void lookAgain() {
        willLook = false;
        lookSoon();
    }

    @Override
    public void close() {
        List<CompletableFuture<CommandReply>> left = new ArrayList<>();
        synchronized (this) {
            looking.shutdownNow();
            waiting.values().forEach(left::addAll);
            waiting.clear();
        }
        left.forEach(future -> future.cancel(false));
    }
}
