package com.acme.payments.domain.repository;

import com.acme.payments.domain.model.FxContract;
import java.util.Optional;
import java.util.UUID;

/** Contracts for foreign exchange. */
public interface FxContractRepository {

    Optional<FxContract> findByBooking(UUID bookingId);

    void save(FxContract contract);
}
