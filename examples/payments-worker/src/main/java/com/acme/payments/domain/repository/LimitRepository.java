package com.acme.payments.domain.repository;

import com.acme.payments.domain.model.AccountLimit;
import com.acme.payments.domain.model.LimitBooking;
import java.util.Optional;
import java.util.UUID;

/** Limits and what is booked against them. */
public interface LimitRepository {

    /** The limit of an account, which nobody else changes until the transaction ends; nothing when it has none. */
    Optional<AccountLimit> lock(UUID accountId);

    void save(AccountLimit limit);

    void delete(UUID accountId);

    Optional<LimitBooking> findBooking(UUID bookingId);

    void save(LimitBooking booking);
}
