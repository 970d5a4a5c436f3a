package io.waybill.store;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** How every {@link Transaction} runs what was left for after its commit: once, however often it is asked to. */
public final class AfterCommit {

    private static final Logger log = LoggerFactory.getLogger(AfterCommit.class);

    private final Runnable work;
    private boolean hasRun;

    public AfterCommit(Runnable work) {
        this.work = work;
    }

    /** It is committed: what fails now is logged, as throwing would tell the caller otherwise. An error of the JVM comes through. */
    public void run() {
        if (hasRun) {
            return;
        }
        hasRun = true;
        try {
            work.run();
        } catch (RuntimeException e) {
            log.warn("WB-115 An action after a commit failed; the committed data are not affected: {}", e.toString());
            log.debug("WB-115", e);
        }
    }

    /** Runs all of it; an error of the JVM comes through at the end. */
    public static void run(List<Runnable> left) {
        @Nullable Error error = null;
        for (Runnable each : left) {
            try {
                new AfterCommit(each).run();
            } catch (Error e) {
                error = e;
            }
        }
        if (error != null) {
            throw error;
        }
    }
}
