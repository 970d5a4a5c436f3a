package io.waybill.runtime;

import io.waybill.jdbc.JdbcStore;
import io.waybill.observe.WaitingItem;
import io.waybill.observe.WaitingSource;
import io.waybill.store.admin.DestinationStats;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Looks at what waits, at most every few seconds: health is asked often, by many, and counting rows costs more the more there are.
 *
 * <p><i>Threads:</i> safe; while one looks, others wait for what it finds.
 */
final class BacklogWatch {

    private static final Duration FRESH = Duration.ofSeconds(5);

    private final JdbcStore store;
    private final List<WaitingSource> waiting;
    private final Clock clock;
    private @Nullable Backlog last;

    BacklogWatch(JdbcStore store, List<WaitingSource> waiting, Clock clock) {
        this.store = store;
        this.waiting = waiting;
        this.clock = clock;
    }

    synchronized Backlog look() {
        Instant now = clock.instant();
        Backlog known = last;
        if (known == null || !known.lookedAt().plus(FRESH).isAfter(now)) {
            known = count(now);
            last = known;
        }
        return known;
    }

    private Backlog count(Instant now) {
        DestinationStats sum = DestinationStats.sum(store.admin().stats());
        List<String> unusual = WaitingSource.all(waiting).stream()
                .filter(WaitingItem::unusual)
                .map(WaitingItem::text)
                .toList();
        return new Backlog(store.served().size(), sum.pending(), sum.waiting(), sum.failed(), unusual, now);
    }
}
