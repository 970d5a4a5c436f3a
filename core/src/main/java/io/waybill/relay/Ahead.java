package io.waybill.relay;

import io.waybill.store.Claim;
import io.waybill.store.Lease;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The batch after the one that is being sent, claimed meanwhile: the database looks for it while the broker is waited for and what it
 * took is settled.
 *
 * <p><i>Threads:</i> the relay's own; the claim has another.
 */
final class Ahead implements AutoCloseable {

    private static final int IDLE_SECONDS = 10;

    private final ThreadPoolExecutor worker =
            new ThreadPoolExecutor(1, 1, IDLE_SECONDS, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), Ahead::thread);
    private @Nullable Future<Claim> next;
    private List<Lease> leases = List.of();

    Ahead() {
        worker.allowCoreThreadTimeOut(true);
    }

    private static Thread thread(Runnable work) {
        var thread = new Thread(work, "waybill-ahead");
        thread.setDaemon(true);
        return thread;
    }

    /** Starts to claim for the owner of these leases. */
    void start(List<Lease> leases, Callable<Claim> claim) {
        this.leases = leases;
        this.next = worker.submit(claim);
    }

    /** What was claimed, unless these are other leases; nothing as well when the claim has failed: the next one will say why. */
    Claim take(List<Lease> leases) {
        Future<Claim> claim = next;
        next = null;
        if (claim == null) {
            return Claim.NOTHING;
        }
        try {
            Claim claimed = claim.get();
            return this.leases.equals(leases) ? claimed : Claim.NOTHING;
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
