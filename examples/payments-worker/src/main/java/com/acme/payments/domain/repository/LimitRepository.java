package com.acme.payments.domain.repository;

import com.acme.payments.domain.model.AccountLimit;
import com.acme.payments.domain.model.LimitBooking;
import java.util.List;
import java.util.UUID;

/** Limits and what is booked against them. */
public interface LimitRepository {

    /** The limits of an account, which nobody else changes until the transaction ends. */
    List<AccountLimit> lock(UUID accountId);

    void save(AccountLimit limit);

    /** Removes the limits of an account that was not opened after all. */
    void delete(UUID accountId);

    /** What a payment has booked, one for each limit. */
    List<LimitBooking> findBookings(UUID bookingId);

    void save(LimitBooking booking);
}
