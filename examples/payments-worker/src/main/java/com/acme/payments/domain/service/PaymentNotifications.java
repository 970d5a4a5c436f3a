package com.acme.payments.domain.service;

import com.acme.payments.HandlesCommands;
import com.acme.payments.application.event.PaymentCompleted;
import com.acme.payments.domain.repository.PaymentRepository;
import io.waybill.inbox.SubscribeTo;
import jakarta.inject.Singleton;
import jakarta.transaction.Transactional;

/** Records the notification of an account's owner: once for each payment. */
@Singleton
@HandlesCommands
public class PaymentNotifications {

    private final PaymentRepository payments;

    PaymentNotifications(PaymentRepository payments) {
        this.payments = payments;
    }

    @SubscribeTo(PaymentCompleted.DESTINATION)
    @Transactional
    public void tell(PaymentCompleted event) {
        payments.saveNotification(
                event.paymentId(),
                event.debitAmount() + " went to " + event.beneficiary() + ", who gets " + event.creditAmount());
    }
}
