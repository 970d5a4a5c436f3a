package io.waybill.relay;

import io.waybill.store.Claim;
import io.waybill.store.ClaimedMessage;
import io.waybill.store.Key;
import io.waybill.store.Lease;
import io.waybill.store.Settlements;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The batch after the one that is being sent, claimed meanwhile: the database looks for it while the broker is waited for and what it
 * took is settled. It goes next only if every message of the one before has been settled; what waits behind a refused one is blocked
 * in it, although the claim could not know.
 *
 * <p><i>Threads:</i> the relay's own; the claim has another.
 */
final class Ahead implements AutoCloseable {

    private final ExecutorService worker = Workers.named("ahead");
    private @Nullable Future<Claim> next;
    private List<Lease> leases = List.of();
    private boolean isSmooth = true;
    private Set<Key> stopped = Set.of();

    /** Starts to claim for the owner of these leases. */
    void start(List<Lease> leases, Callable<Claim> claim) {
        this.leases = leases;
        this.next = worker.submit(claim);
    }

    /** Whether a batch is being claimed, or has been. */
    boolean isUnderWay() {
        return next != null;
    }

    /** Nothing was under way but the last batch, and all of it has been settled like this. */
    void wentSmoothly(Collection<Settlements> settled) {
        isSmooth = true;
        stopped = settled.stream().flatMap(Settlements::stoppedKeys).collect(Collectors.toSet());
    }

    /** Whether the last batch went smoothly; for the next one that has to be said again. */
    boolean wasSmooth() {
        boolean wasSmooth = isSmooth;
        isSmooth = false;
        return wasSmooth;
    }

    /** What was claimed, unless these are other leases. */
    Claim take(List<Lease> leases) {
        Claim claim = claimed();
        if (!this.leases.equals(leases)) {
            return Claim.NOTHING;
        }
        return stopped.isEmpty()
                ? claim
                : new Claim(claim.messages().stream().map(this::inItsState).toList(), claim.cut());
    }

    private ClaimedMessage inItsState(ClaimedMessage message) {
        boolean waits = message.envelope().isOrdered() && stopped.contains(Key.of(message.envelope()));
        return waits ? message.blocked() : message;
    }

    /** Nothing as well when the claim has failed: the next one will say why. */
    private Claim claimed() {
        Future<Claim> claim = next;
        next = null;
        if (claim == null) {
            return Claim.NOTHING;
        }
        try {
            return claim.get();
        } catch (ExecutionException e) {
            return Claim.NOTHING;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Claim.NOTHING;
        }
    }

    @Override
    public void close() {
        worker.shutdown();
    }
}
