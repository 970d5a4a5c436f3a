package io.waybill.relay.handle;

import io.waybill.Time;
import io.waybill.observe.RelayListener;
import io.waybill.observe.WaitingItem;
import io.waybill.relay.handle.HandlerResult.Result;
import io.waybill.relay.lease.HeldShards;
import io.waybill.relay.lease.PausedDestinations;
import io.waybill.relay.route.Continuation;
import io.waybill.relay.route.RelayOptions;
import io.waybill.relay.route.Route;
import io.waybill.relay.route.Routes;
import io.waybill.relay.route.Workers;
import io.waybill.store.outbox.ClaimExclusions;
import io.waybill.store.outbox.ClaimedMessage;
import io.waybill.store.outbox.Key;
import io.waybill.store.outbox.OutboxStore;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * Handlers at work: the messages of one key one after the other, those of different keys at once. The relay's thread hands
 * messages over and collects what has ended; a slow handler holds up nothing but its own key.
 *
 * <p><i>Threads:</i> safe; one lock for the bookkeeping, handlers run outside of it.
 */
public final class HandlerPool {

    /** For each handler, that many messages may wait before no more are claimed; of one key, no more than that are taken. */
    private static final int QUEUE = 32;

    /** And so many commits, where messages share them. */
    private static final int COMMITS = 4;

    /** How much the last commit says about the next. */
    private static final double LEARNING = 0.25;

    private final OutboxStore store;
    private final Routes routes;
    private final RelayOptions options;
    private final Time time;
    private final RelayListener listener;
    private final PausedDestinations paused;
    private final Runnable somethingEnded;
    private final ExecutorService workers = Workers.named("handler");
    private final Deque<Chain> ready = new ArrayDeque<>();
    private final List<HandlerResult> ended = new ArrayList<>();

    private final SortedMap<Long, ClaimedMessage> inFlight = new TreeMap<>();

    /** When handlers began with what they are at work with, by its position. */
    private final Map<Long, Instant> begun = new HashMap<>();

    private int working;
    private boolean stopping;

    /** Shards of which nothing is begun any more. */
    private Set<Integer> leaving = Set.of();

    /** How many a message of a shared commit stands for, with what follows from it; an average of the last commits. */
    private double weight = 1;

    /** @param somethingEnded there is something to settle, or room for more */
    public HandlerPool(
            OutboxStore store,
            Routes routes,
            RelayOptions options,
            Time time,
            RelayListener listener,
            PausedDestinations paused,
            Runnable somethingEnded) {
        this.listener = listener;
        this.paused = paused;
        this.time = time;
        this.store = store;
        this.routes = routes;
        this.options = options;
        this.somethingEnded = somethingEnded;
    }

    /** The messages of one key that were claimed together. */
    private record Chain(HandlerTransaction commit, Deque<ClaimedMessage> messages) {

        ClaimedMessage head() {
            return messages.element();
        }
    }

    /** Whether more messages may be handed over. */
    public synchronized boolean hasRoom() {
        return !stopping && inFlight.size() < room();
    }

    private int room() {
        return options.handlers() * (QUEUE + COMMITS * (options.messagesPerCommit() - 1));
    }

    /** What must not be claimed again yet. */
    public synchronized ClaimExclusions exclusions() {
        return inFlight.isEmpty() ? ClaimExclusions.NOTHING : ClaimExclusions.with(inFlight.values());
    }

    /** Starts to handle these messages of one route; of a key not so many that they leave no room for others. */
    public synchronized void start(Route route, List<ClaimedMessage> messages, HeldShards held) {
        var commit = new HandlerTransaction(store, route, held, listener);
        Map<Object, Chain> chains = new LinkedHashMap<>();
        for (ClaimedMessage message : messages) {
            Chain chain = chains.computeIfAbsent(orderOf(message), none -> new Chain(commit, new ArrayDeque<>()));
            if (chain.messages().size() < QUEUE) {
                inFlight.put(message.position(), message);
                chain.messages().add(message);
            }
        }
        ready.addAll(chains.values());
        int wanted = Math.min(options.handlers(), working + ready.size());
        for (; working < wanted; working++) {
            workers.execute(this::work);
        }
    }

    /** What a message is in order of: its key, or nothing but itself. */
    private static Object orderOf(ClaimedMessage message) {
        return message.envelope().isOrdered() ? Key.of(message.envelope()) : (Object) message.position();
    }

    /** What has ended and has not been forgotten. Its keys stay busy until then. */
    public synchronized List<HandlerResult> ended() {
        return List.copyOf(ended);
    }

    /** The first of what has ended has been settled; its keys may be claimed again. */
    public synchronized void forget(List<HandlerResult> settled) {
        ended.subList(0, settled.size()).clear();
        settled.forEach(end -> inFlight.remove(end.message().position()));
    }

    /** Waits until something has ended. False when nothing is being handled. */
    public synchronized boolean await() {
        try {
            while (ended.isEmpty() && !inFlight.isEmpty()) {
                wait();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return !ended.isEmpty();
    }

    /** What handlers are at work with, the one that began first of each destination. */
    public synchronized List<WaitingItem> waiting(Duration patience) {
        Instant late = time.clock().instant().minus(patience);
        Map<String, WaitingItem> byDestination = new TreeMap<>();
        begun.forEach((position, since) -> Optional.ofNullable(inFlight.get(position))
                .ifPresent(message -> byDestination.merge(
                        message.envelope().destination(),
                        atWork(message, since, since.isBefore(late)),
                        HandlerPool::earlier)));
        return List.copyOf(byDestination.values());
    }

    private static WaitingItem atWork(ClaimedMessage message, Instant since, boolean unusual) {
        return WaitingItem.of(
                WaitingItem.Kind.HANDLER,
                message.envelope().destination(),
                1,
                since,
                unusual,
                "it is at work with message " + message.label(),
                "the handler returns or throws; a thread dump of this process shows what it does");
    }

    private static WaitingItem earlier(WaitingItem one, WaitingItem other) {
        boolean first = one.begun().orElse(Instant.MAX).isBefore(other.begun().orElse(Instant.MAX));
        return first ? one : other;
    }

    /** What has been handed over and has not been settled. */
    public synchronized List<ClaimedMessage> messages() {
        return List.copyOf(inFlight.values());
    }

    /** Leaves what waits of these shards to others; what is being handled goes on. */
    public synchronized void leave(Set<Integer> shards) {
        leaving = shards;
        leaveWhatWaits();
    }

    /** Leaves what waits for destinations that have been paused to a later claim; what is being handled goes on. */
    public synchronized void leavePaused() {
        leaveWhatWaits();
    }

    private void leaveWhatWaits() {
        int before = ended.size();
        ready.stream().filter(this::isLeaving).forEach(this::leave);
        ready.removeIf(chain -> chain.messages().isEmpty());
        wakeIfMoreEnded(before);
    }

    private void wakeIfMoreEnded(int before) {
        if (ended.size() > before) {
            notifyAll();
            somethingEnded.run();
        }
    }

    private boolean isLeaving(Chain chain) {
        ClaimedMessage head = chain.head();
        return leaving.contains(head.shard()) || paused.contains(head.envelope().destination());
    }

    /** Finishes what is being handled and leaves the rest. */
    public void close() {
        synchronized (this) {
            stopping = true;
            ready.forEach(this::leave);
            ready.clear();
        }
        workers.shutdown();
        try {
            workers.awaitTermination(options.closeTimeout().toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void work() {
        for (List<Chain> chains = next(); !chains.isEmpty(); chains = next()) {
            if (options.messagesPerCommit() == 1) {
                Chain chain = chains.get(0);
                ended(chain, chain.commit().alone(chain.head()));
            } else {
                handleHeads(chains);
            }
        }
    }

    /** The chains whose first messages go into one commit. A worker that gets none is through. */
    private synchronized List<Chain> next() {
        int before = ended.size();
        var chains = new ArrayList<Chain>();
        int most = (int) Math.max(1, Math.round(options.messagesPerCommit() / weight));
        while (!ready.isEmpty()
                && chains.size() < most
                && (chains.isEmpty() || chains.get(0).commit() == ready.peek().commit())) {
            Chain chain = ready.remove();
            if (isLeaving(chain)) {
                leave(chain);
            } else {
                chains.add(chain);
            }
        }
        wakeIfMoreEnded(before);
        Instant now = time.clock().instant();
        chains.forEach(chain -> begun.put(chain.head().position(), now));
        if (chains.isEmpty()) {
            working--;
        }
        return chains;
    }

    /** Together. When one of them fails all of them are rolled back and repeated one by one. */
    private void handleHeads(List<Chain> chains) {
        HandlerTransaction commit = chains.get(0).commit();
        var shared =
                Continuation.withRoom(routes, options.messagesPerCommit() - chains.size(), paused::contains, listener);
        Result together = commit.together(chains.stream().map(Chain::head).toList(), shared);
        boolean apart = !(together instanceof HandlerResult.Handled) && (chains.size() > 1 || shared.wasUsed());
        for (Chain chain : chains) {
            ended(chain, apart ? commit.alone(chain.head()) : commit.concluded(chain.head(), together));
        }
        weigh(chains.size(), shared.wanted());
    }

    /** Learns how many messages fill a commit. */
    private synchronized void weigh(int messages, int followers) {
        weight += LEARNING * (1.0 + (double) followers / messages - weight);
    }

    private synchronized void ended(Chain chain, Result result) {
        ClaimedMessage message = chain.messages().remove();
        begun.remove(message.position());
        ended.add(new HandlerResult(message, result));
        boolean succeeded = result instanceof HandlerResult.Handled || result instanceof HandlerResult.FailedForGood;
        if (!succeeded || stopping) {
            leave(chain);
        } else if (!chain.messages().isEmpty() && isLeaving(chain)) {
            leave(chain);
        } else if (!chain.messages().isEmpty()) {
            ready.add(chain);
        }
        notifyAll();
        int left = inFlight.size() - ended.size();
        if (!succeeded || left == 0 || left == room() / 2) {
            somethingEnded.run();
        }
    }

    /** What is behind a message that did not end well is claimed anew, and held if its key has to wait. */
    private void leave(Chain chain) {
        chain.messages().forEach(message -> ended.add(new HandlerResult(message, new HandlerResult.Left())));
        chain.messages().clear();
    }
}
