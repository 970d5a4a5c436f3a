package com.acme.payments.domain.repository;

import com.acme.payments.domain.model.Payment;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** Payments, those that were cancelled too, who was told of them, and who is never paid. */
public interface PaymentRepository {

    Optional<Payment> findById(UUID paymentId);

    /** Those that an account has paid. */
    List<Payment> findByAccountId(UUID accountId);

    void save(Payment payment);

    void saveNotification(UUID paymentId, String text);

    List<String> findNotifications(UUID paymentId);

    boolean isBlocked(String beneficiary);

    void block(String beneficiary, String reason);
}
