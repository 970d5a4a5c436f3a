package com.acme.payments.domain.model;

import java.time.LocalDate;
import java.util.UUID;

/** What a payment has used of a limit of its account. */
public record LimitBooking(UUID bookingId, UUID limitId, Money amount, LocalDate periodStart, boolean reversed) {

    public LimitBooking reverse() {
        return new LimitBooking(bookingId, limitId, amount, periodStart, true);
    }
}
