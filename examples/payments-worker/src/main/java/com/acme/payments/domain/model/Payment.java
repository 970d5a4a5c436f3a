package com.acme.payments.domain.model;

import java.util.UUID;

/** Money that went to a beneficiary: the other side of a debit. */
public record Payment(UUID paymentId, UUID accountId, UUID transactionId, String beneficiary, Money amount) {}
