package com.acme.payments.domain.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.acme.payments.domain.model.AccountLimit.Period;
import java.time.LocalDate;
import java.util.UUID;
import org.junit.jupiter.api.Test;

final class AccountLimitTest {

    private static final LocalDate LAST_OF_JANUARY = LocalDate.of(2026, 1, 31);

    @Test
    void a_limit_takes_what_fits_and_gives_it_back() {
        AccountLimit limit = limit(Period.DAILY, "100.00");

        AccountLimit booked = limit.book(euro("100.00"));

        assertThat(booked.canAccommodate(euro("0.01"), TransactionType.DEBIT)).isFalse();
        assertThatThrownBy(() -> booked.book(euro("0.01")))
                .isInstanceOf(LimitExceededException.class)
                .hasMessageContaining("DAILY limit of 100.00 EUR");
        assertThat(booked.release(booking(booked, "100.00"))).isEqualTo(limit);
    }

    @Test
    void a_limit_has_room_for_transactions_of_other_types() {
        AccountLimit full = limit(Period.DAILY, "100.00").book(euro("100.00"));

        assertThat(full.canAccommodate(euro("5000.00"), TransactionType.CREDIT)).isTrue();
    }

    @Test
    void a_limit_of_a_day_begins_anew_on_the_next_and_one_of_a_month_in_the_next() {
        AccountLimit daily = limit(Period.DAILY, "100.00").book(euro("60.00"));
        AccountLimit monthly = limit(Period.MONTHLY, "100.00").book(euro("60.00"));

        assertThat(daily.on(LAST_OF_JANUARY).utilized()).isEqualTo(euro("60.00"));
        assertThat(daily.on(LAST_OF_JANUARY.plusDays(1)).utilized()).isEqualTo(euro("0.00"));
        assertThat(monthly.on(LocalDate.of(2026, 1, 2)).utilized()).isEqualTo(euro("60.00"));
        assertThat(monthly.on(LAST_OF_JANUARY.plusDays(1)).utilized()).isEqualTo(euro("0.00"));
    }

    @Test
    void what_was_booked_yesterday_does_not_lower_what_is_used_today() {
        AccountLimit yesterday = limit(Period.DAILY, "100.00").book(euro("60.00"));
        LimitBooking booking = booking(yesterday, "60.00");
        AccountLimit today = yesterday.on(LAST_OF_JANUARY.plusDays(1)).book(euro("10.00"));

        assertThat(today.release(booking).utilized()).isEqualTo(euro("10.00"));
    }

    private static LimitBooking booking(AccountLimit limit, String amount) {
        return new LimitBooking(UUID.randomUUID(), limit.limitId(), euro(amount), limit.periodStart(), false);
    }

    private static AccountLimit limit(Period period, String amount) {
        return AccountLimit.unused(UUID.randomUUID(), period, TransactionType.DEBIT, euro(amount), LAST_OF_JANUARY);
    }

    private static Money euro(String amount) {
        return Money.of(amount, "EUR");
    }
}
