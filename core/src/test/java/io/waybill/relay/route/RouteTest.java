package io.waybill.relay.route;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.waybill.Backoff;
import io.waybill.message.DestinationPattern;
import io.waybill.transport.Publisher;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RouteTest {

    private static final Publisher NOWHERE = (batch, deadline) -> List.of();

    @ParameterizedTest
    @CsvSource({
        "orders.placed, orders.placed, true",
        "orders.placed, orders-placed, false",
        "orders.*, orders.placed, true",
        "orders.*, orders.placed.eu, false",
        "orders.**, orders.placed.eu, true",
        "**, anything.at.all, true",
        "*, orders, true",
        "*, orders.placed, false",
        "a+b, aab, false",
        "**, waybill.handler.billing.orders, false",
        "waybill.handler.**, waybill.handler.billing.orders, true",
    })
    void a_star_does_not_cross_a_dot_and_two_do(String pattern, String destination, boolean matches) {
        assertThat(DestinationPattern.of(pattern).matches(destination)).isEqualTo(matches);
    }

    @Test
    void the_first_route_that_matches_is_taken() {
        Route special = Route.of("orders.special", NOWHERE);
        Route general = Route.of("orders.*", NOWHERE);
        var routes = Routes.of(special, general);

        assertThat(routes.to("orders.special")).contains(special);
        assertThat(routes.to("orders.placed")).contains(general);
        assertThat(routes.to("payments")).isEmpty();
    }

    @Test
    void the_backoff_doubles_up_to_its_cap() {
        var exact = new Backoff(Duration.ofSeconds(1), Duration.ofSeconds(60), 0);

        assertThat(exact.delay(1)).hasSeconds(2);
        assertThat(exact.delay(5)).hasSeconds(32);
        assertThat(exact.delay(6)).hasSeconds(60);
        assertThat(exact.delay(1_000)).hasSeconds(60);
        assertThat(Backoff.DEFAULT.delay(3)).isBetween(Duration.ofMillis(7_200), Duration.ofSeconds(8));
    }

    @Test
    void nonsense_is_refused_with_the_reason() {
        assertThatThrownBy(() -> Route.of(" ", NOWHERE)).hasMessageContaining("orders.*");
        assertThatThrownBy(() -> Route.of("a", NOWHERE).maxAttempts(0)).hasMessageContaining("max-attempts (0)");
        assertThatThrownBy(() -> new Backoff(Duration.ofSeconds(9), Duration.ofSeconds(1), 0))
                .hasMessageContaining("cap (PT1S)");
        assertThatThrownBy(() -> RelayOptions.DEFAULT.withBatchSize(0)).hasMessageContaining("batch-size (0)");
    }
}
