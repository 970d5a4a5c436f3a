package io.waybill.console.rate;

import static org.assertj.core.api.Assertions.assertThat;

import io.waybill.console.rate.ActivityRates.Rate;
import io.waybill.jdbc.ops.RelayNode;
import io.waybill.store.outbox.RelayActivity;
import io.waybill.store.outbox.RelayActivity.Counts;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ActivityRatesTest {

    private static final Instant START = Instant.parse("2026-01-31T12:00:00Z");

    private final ActivityRates rates = new ActivityRates();

    @Test
    void a_rate_is_the_difference_between_two_renewals_in_the_databases_time() {
        rates.look(List.of(relay("a", 10, counts(1_000, 0))));
        assertThat(rates.of("orders")).as("one look tells nothing").isEmpty();

        rates.look(List.of(relay("a", 20, counts(1_300, 100))));
        assertThat(rates.of("orders")).contains(new Rate(30, 10));
        assertThat(rates.of("orders").flatMap(Rate::refusedShare)).contains(0.25);
        assertThat(rates.total()).contains(new Rate(30, 10));

        rates.look(List.of(relay("a", 20, counts(1_300, 100))));
        assertThat(rates.of("orders")).as("no renewal since").contains(new Rate(30, 10));

        rates.look(List.of(relay("a", 30, counts(1_300, 100))));
        assertThat(rates.of("orders")).contains(new Rate(0, 0));
        assertThat(rates.of("orders").flatMap(Rate::refusedShare)).isEmpty();
    }

    @Test
    void relays_are_added_and_a_new_one_began_with_nothing() {
        rates.look(List.of(relay("a", 10, counts(1_000, 0))));
        rates.look(List.of(relay("a", 20, counts(1_100, 0)), relay("b", 20, counts(400, 0))));

        assertThat(rates.of("orders")).contains(new Rate(10 + 20, 0));
        rates.look(List.of(relay("b", 30, counts(400, 0))));
        assertThat(rates.total()).as("of one that has gone nothing is left").contains(new Rate(0, 0));
    }

    @Test
    void nothing_is_negative_when_a_destination_comes_from_the_others_or_goes_there() {
        rates.look(List.of(relay("a", 10, new RelayActivity(Map.of("x", new Counts(5, 0)), new Counts(900, 0)))));
        rates.look(List.of(relay("a", 20, new RelayActivity(Map.of("y", new Counts(950, 0)), new Counts(15, 0)))));

        assertThat(rates.total()).contains(new Rate(6, 0));
        assertThat(rates.of("y")).as("how much of it is new is not known").contains(new Rate(0, 0));
        assertThat(rates.destinations()).containsExactly("y");
    }

    @Test
    void where_no_relay_lives_nothing_is_published() {
        rates.look(List.of());

        assertThat(rates.total()).contains(new Rate(0, 0));
    }

    private static RelayActivity counts(long published, long refused) {
        return new RelayActivity(Map.of("orders", new Counts(published, refused)), Counts.NONE);
    }

    private static RelayNode relay(String name, int renewed, RelayActivity activity) {
        return new RelayNode(
                name,
                "default",
                START,
                64,
                ">**",
                activity,
                START.plusSeconds(renewed),
                Duration.ZERO,
                Duration.ofSeconds(10));
    }
}
