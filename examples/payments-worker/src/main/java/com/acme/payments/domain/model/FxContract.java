package com.acme.payments.domain.model;

import java.math.BigDecimal;
import java.util.UUID;

/** Foreign exchange for a payment: sold, bought, and at which rate. */
public record FxContract(UUID contractId, UUID bookingId, Money sold, Money bought, BigDecimal rate, boolean unwound) {}
