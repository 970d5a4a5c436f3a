package io.waybill.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import io.waybill.message.Message;
import io.waybill.testkit.ManualClock;
import io.waybill.testkit.services.H2;
import io.waybill.testkit.services.database.TestDatabase;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Probes see what waits and whether a relay lives, without counting rows each time. */
final class BacklogWatchTest {

    @Test
    void rows_are_counted_every_few_seconds_at_most() {
        try (TestDatabase database = H2.newDatabase();
                Waybill waybill = Waybill.on(database.dataSource()).relays(0).build()) {
            var clock = ManualClock.now();
            var watch = new BacklogWatch(waybill.store(), List.of(), clock);
            append(waybill);

            assertThat(watch.look().pending()).isEqualTo(1);
            append(waybill);
            assertThat(watch.look().pending()).as("not counted again").isEqualTo(1);
            clock.advance(Duration.ofSeconds(5));
            assertThat(watch.look().pending()).isEqualTo(2);
        }
    }

    @Test
    void a_relay_that_lives_on_the_tables_is_seen_by_an_instance_that_has_none() {
        try (TestDatabase database = H2.newDatabase();
                Waybill without = Waybill.on(database.dataSource()).relays(0).build()) {
            var clock = ManualClock.now();
            var watch = new BacklogWatch(without.store(), List.of(), clock);
            assertThat(watch.look().relays()).isZero();

            without.store().leaseStore("default").renew("another relay", "", List.of(), Duration.ofMinutes(5));

            clock.advance(Duration.ofSeconds(5));
            assertThat(watch.look().relays()).isEqualTo(1);
        }
    }

    private static void append(Waybill waybill) {
        waybill.transactions()
                .inTransaction(transaction -> waybill.outbox()
                        .append(Message.event("Placed", "o-1").as("text/plain").to("orders.placed")));
    }
}
