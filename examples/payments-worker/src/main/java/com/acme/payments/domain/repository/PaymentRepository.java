package com.acme.payments.domain.repository;

import com.acme.payments.domain.model.Payment;
import java.util.Optional;
import java.util.UUID;

/** Payments that were made, and who is never paid. */
public interface PaymentRepository {

    Optional<Payment> findById(UUID paymentId);

    void save(Payment payment);

    void delete(UUID paymentId);

    boolean isBlocked(String beneficiary);

    void block(String beneficiary, String reason);
}
