package io.waybill.process;

import io.waybill.Pace;
import io.waybill.process.store.StuckProcess;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks for stuck processes every now and then, and logs each of them once.
 *
 * <p><i>Threads:</i> one looks; any may read what was found.
 */
final class StuckCheck {

    private static final Logger log = LoggerFactory.getLogger(StuckCheck.class);

    private static final Duration INTERVAL = Duration.ofMinutes(1);

    private final Supplier<List<StuckProcess>> search;
    private final Pace pace;
    private volatile List<StuckProcess> found = List.of();

    StuckCheck(Supplier<List<StuckProcess>> search, Clock clock) {
        this.search = search;
        this.pace = new Pace(clock, INTERVAL);
    }

    List<StuckProcess> found() {
        return found;
    }

    void run() {
        pace.run(this::look);
    }

    private void look() {
        List<StuckProcess> before = found;
        List<StuckProcess> stuck = search.get();
        found = stuck;
        without(stuck, before)
                .forEach(process -> log.warn(
                        "WB-406 Stuck process: {}. It does not continue until you retry the step or cancel the process.",
                        process));
        without(before, stuck).forEach(process -> log.info("WB-407 No longer stuck: {}.", process));
    }

    private static List<StuckProcess> without(List<StuckProcess> some, List<StuckProcess> others) {
        var rest = new ArrayList<>(some);
        rest.removeAll(others);
        return rest;
    }
}
