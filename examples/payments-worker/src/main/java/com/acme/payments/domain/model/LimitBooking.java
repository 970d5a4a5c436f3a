package com.acme.payments.domain.model;

import java.util.UUID;

/** What a payment has used of the limit of its account. */
public record LimitBooking(UUID bookingId, UUID accountId, Money amount, boolean reversed) {}
