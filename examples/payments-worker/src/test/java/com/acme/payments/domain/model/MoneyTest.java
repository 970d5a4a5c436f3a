package com.acme.payments.domain.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigDecimal;
import java.util.UUID;
import org.junit.jupiter.api.Test;

final class MoneyTest {

    @Test
    void equal_amounts_are_equal_however_they_are_written() {
        assertThat(Money.of("10", "EUR")).isEqualTo(Money.of("10.00", "EUR"));
    }

    @Test
    void parts_of_a_cent_and_strange_currencies_are_refused() {
        assertThatThrownBy(() -> Money.of("0.001", "EUR")).hasMessageContaining("whole cents");
        assertThatThrownBy(() -> Money.of("1", "Euro")).hasMessageContaining("three letters");
    }

    @Test
    void exchange_is_rounded_to_the_cent() {
        assertThat(Money.of("10.01", "EUR").exchange(new BigDecimal("1.0850"), "USD"))
                .isEqualTo(Money.of("10.86", "USD"));
    }

    @Test
    void a_limit_takes_what_fits_and_gives_it_back() {
        var limit = new AccountLimit(UUID.randomUUID(), Money.of("100", "EUR"), Money.zero("EUR"));

        AccountLimit booked = limit.book(Money.of("100.00", "EUR"));

        assertThatThrownBy(() -> booked.book(Money.of("0.01", "EUR"))).isInstanceOf(LimitExceededException.class);
        assertThat(booked.reverse(Money.of("100", "EUR"))).isEqualTo(limit);
    }
}
