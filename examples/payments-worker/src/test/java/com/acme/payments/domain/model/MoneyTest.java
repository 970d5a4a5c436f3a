package com.acme.payments.domain.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigDecimal;
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
    void amounts_of_one_currency_are_added_and_subtracted() {
        assertThat(Money.of(100, "USD").add(Money.of(50, "USD"))).isEqualTo(Money.of(150, "USD"));
        assertThat(Money.of(100, "USD").subtract(Money.of(150, "USD")).isNegative())
                .isTrue();
        assertThatThrownBy(() -> Money.of(100, "USD").add(Money.of(50, "EUR")))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void a_number_that_is_too_long_is_refused_before_it_is_computed_with() {
        assertThatThrownBy(() -> Money.of("1E+999999999", "EUR")).hasMessageContaining("17 digits");
        assertThatThrownBy(() -> Money.of("0E+999999999", "EUR")).hasMessageContaining("17 digits");
        assertThatThrownBy(() -> Money.of("1E-999999999", "EUR")).hasMessageContaining("whole cents");
    }
}
