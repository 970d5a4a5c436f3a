package io.waybill.runtime;

import io.waybill.jdbc.Signals;
import io.waybill.observe.WaitingItem;
import io.waybill.relay.RelayLoop;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;

/**
 * What works on threads of its own while an instance is started: relays, signals, what becomes due, housekeeping.
 *
 * <p><i>Threads:</i> safe.
 */
final class Lifecycle implements AutoCloseable {

    private final Optional<Signals> signals;
    private final List<Supplier<RelayLoop>> relayMakers = new ArrayList<>();
    private final List<Supplier<? extends AutoCloseable>> partMakers = new ArrayList<>();
    private final List<Runnable> atStart = new ArrayList<>();
    private final List<AutoCloseable> atEnd = new ArrayList<>();
    private final List<RelayLoop> loops = new CopyOnWriteArrayList<>();
    private final List<AutoCloseable> parts = new CopyOnWriteArrayList<>();
    private boolean running;
    private boolean listening;

    Lifecycle(Optional<Signals> signals) {
        this.signals = signals;
        signals.ifPresent(atEnd::add);
    }

    Lifecycle relays(int count, Supplier<RelayLoop> maker) {
        relayMakers.addAll(Collections.nCopies(count, maker));
        return this;
    }

    Lifecycle part(Supplier<? extends AutoCloseable> maker) {
        partMakers.add(maker);
        return this;
    }

    Lifecycle atStart(Runnable work) {
        atStart.add(work);
        return this;
    }

    Lifecycle atEnd(AutoCloseable part) {
        atEnd.add(part);
        return this;
    }

    Lifecycle atEnd(Collection<AutoCloseable> some) {
        atEnd.addAll(some);
        return this;
    }

    /** Something was committed. */
    void wake() {
        loops.forEach(RelayLoop::wake);
        signals.ifPresent(Signals::send);
    }

    synchronized void start() {
        if (running) {
            return;
        }
        running = true;
        relayMakers.forEach(maker -> loops.add(maker.get()));
        if (!loops.isEmpty() && !listening) {
            signals.ifPresent(others -> others.listen(loops.size(), () -> loops.forEach(RelayLoop::wake)));
            listening = true;
        }
        partMakers.forEach(maker -> parts.add(maker.get()));
        atStart.forEach(Runnable::run);
    }

    synchronized void stop() {
        loops.forEach(Waybill::closeQuietly);
        loops.clear();
        parts.forEach(Waybill::closeQuietly);
        parts.clear();
        running = false;
    }

    /** What the relays here wait for. */
    List<WaitingItem> waiting(Duration patience) {
        return loops.stream().flatMap(loop -> loop.waiting(patience).stream()).toList();
    }

    /** How many shards the relays here own. */
    int shards() {
        return loops.stream().mapToInt(RelayLoop::shards).sum();
    }

    boolean isAlive() {
        return loops.stream().allMatch(RelayLoop::isAlive)
                && parts.stream().allMatch(part -> !(part instanceof DueTimer dueTimer) || dueTimer.isAlive());
    }

    @Override
    public synchronized void close() {
        stop();
        atEnd.forEach(Waybill::closeQuietly);
        atEnd.clear();
    }
}
