package io.waybill.store;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** How every {@link Transaction} runs what was left for after its commit. */
public final class AfterCommit {

    private static final Logger log = LoggerFactory.getLogger(AfterCommit.class);

    private AfterCommit() {}

    /** It is committed: what fails now is logged, as throwing would stop the rest and tell the caller otherwise. */
    public static void run(Runnable work) {
        try {
            work.run();
        } catch (RuntimeException | Error e) {
            log.warn("WB-115 Something failed that was left for after a commit, which stands: {}", e.toString());
            log.debug("WB-115", e);
        }
    }
}
