package io.waybill.runtime;

import io.waybill.relay.route.RelayOptions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Compares sizes that decide about throughput with rules of thumb, and says the rule, the value and the advice. */
public final class TuningCheck {

    private static final Logger log = LoggerFactory.getLogger(TuningCheck.class);

    private static final Duration MIN_SWEEP = Duration.ofMillis(100);
    private static final Duration MAX_SWEEP = Duration.ofMinutes(1);
    private static final int MIN_BATCH = 10;
    private static final int MAX_BATCH = 10_000;

    private TuningCheck() {}

    /** Looks at the settings of relays, and logs what is unusual. */
    public static void warn(RelayOptions options) {
        of(options).forEach(advice -> log.warn("WB-608 {}", advice));
    }

    /** Looks at the size of a connection pool, and logs what is unusual. */
    public static void inform(int pool) {
        ofPool(pool, Runtime.getRuntime().availableProcessors()).ifPresent(advice -> log.info("WB-609 {}", advice));
    }

    static List<String> of(RelayOptions options) {
        List<String> found = new ArrayList<>();
        if (options.sweepInterval().compareTo(MIN_SWEEP) < 0) {
            found.add(sweep(options)
                    + "A shorter one costs queries and gains nothing for messages of this application, which are sent"
                    + " without waiting for a sweep: use 1s.");
        }
        if (options.sweepInterval().compareTo(MAX_SWEEP) > 0) {
            found.add(sweep(options)
                    + "Messages that other programs write, and those that wait for their next attempt, may be sent that"
                    + " late: use 1s.");
        }
        if (options.batchSize() < MIN_BATCH) {
            found.add(batch(options) + "Every batch is several round trips, however small it is: use 100 or more.");
        }
        if (options.batchSize() > MAX_BATCH) {
            found.add(batch(options) + "All of a batch is in memory, and gains nothing above some thousand: use 2000.");
        }
        return found;
    }

    private static String sweep(RelayOptions options) {
        return "outbox.sweep-interval is " + options.sweepInterval().toMillis() + " ms. Rule: 100 ms to one minute. ";
    }

    private static String batch(RelayOptions options) {
        return "outbox.batch-size is " + options.batchSize() + ". Rule: 10 to 10000. ";
    }

    static Optional<String> ofPool(int pool, int cores) {
        return pool >= 2 * cores
                ? Optional.empty()
                : Optional.of("The pool has " + pool + " connections and the machine " + cores
                        + " cores. Rule: begin with two connections for each core. If hikaricp.connections.pending is"
                        + " above zero under load, raise maximum-pool-size to " + 2 * cores + ".");
    }
}
