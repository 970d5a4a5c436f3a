package io.waybill.ops;

import io.waybill.WaybillException;
import io.waybill.command.store.CommandStore;
import io.waybill.process.store.ProcessStore;
import io.waybill.store.admin.Archive;
import io.waybill.store.admin.CleanupStore;
import java.time.Duration;
import java.util.function.IntUnaryOperator;
import java.util.function.LongConsumer;

/**
 * Removes what is over: messages that were dispatched or discarded, inbox rows, commands and processes, in small steps that stop
 * nobody.
 *
 * <p><i>Threads:</i> safe, also when several instances clean up at once. <i>Transaction:</i> one per step.
 */
public final class Cleanup {

    private final CleanupStore store;

    public Cleanup(CleanupStore store) {
        this.store = store;
    }

    /**
     * Removes dispatched and discarded messages, archived first if asked.
     *
     * @param progress is called after every step with how many have been removed
     * @return how many were removed, or would be
     */
    public long outbox(Options options, LongConsumer progress) {
        if (options.dryRun()) {
            return store.countDispatched(options.olderThan());
        }
        long removed = 0;
        var step = new CleanupStore.Batch(0, 0, true);
        while (step.hasMore()) {
            step = store.removeDispatched(options.olderThan(), step.position(), options.step(), options.archive());
            removed += step.removed();
            progress.accept(removed);
        }
        return removed;
    }

    /** Forgets handled messages. Keep them longer than a broker may deliver a message again. */
    public long inbox(Options options, LongConsumer progress) {
        return options.dryRun()
                ? store.countHandled(options.olderThan())
                : inSteps(options, progress, step -> store.removeHandled(options.olderThan(), step));
    }

    /** Removes commands that are over. Keep them longer than a sender may send the same one again. */
    public static long commands(CommandStore store, Options options, LongConsumer progress) {
        return options.dryRun()
                ? store.countOver(options.olderThan())
                : inSteps(options, progress, step -> store.removeOver(options.olderThan(), step));
    }

    /** Removes processes that are finished. */
    public static long processes(ProcessStore store, Options options, LongConsumer progress) {
        return options.dryRun()
                ? store.countFinished(options.olderThan())
                : inSteps(options, progress, step -> store.removeFinished(options.olderThan(), step));
    }

    private static long inSteps(Options options, LongConsumer progress, IntUnaryOperator removal) {
        long removed = 0;
        int last = options.step();
        while (last == options.step()) {
            last = removal.applyAsInt(options.step());
            removed += last;
            progress.accept(removed);
        }
        return removed;
    }

    /**
     * What is removed, and how.
     *
     * @param olderThan the retention
     * @param step how many rows share a transaction
     * @param dryRun counts, and changes nothing
     */
    public record Options(Duration olderThan, int step, boolean dryRun, Archive archive) {

        private static final int DEFAULT_STEP = 1_000;
        private static final int LARGEST_STEP = 10_000;

        public Options {
            if (olderThan.isNegative()) {
                throw new WaybillException("The retention (" + olderThan + ") is negative. 7 days keep a week.");
            }
            if (step < 1 || step > LARGEST_STEP) {
                throw new WaybillException("The step (" + step + ") must be between 1 and " + LARGEST_STEP
                        + ": a step is one transaction, and a large one makes others wait.");
            }
        }

        public static Options olderThan(Duration retention) {
            return new Options(retention, DEFAULT_STEP, false, Archive.NONE);
        }

        public Options step(int rows) {
            return new Options(olderThan, rows, dryRun, archive);
        }

        public Options dryRun(boolean onlyCount) {
            return new Options(olderThan, step, onlyCount, archive);
        }

        public Options archive(Archive archive) {
            return new Options(olderThan, step, dryRun, archive);
        }
    }
}
