package com.acme.payments.application.event;

import com.acme.payments.domain.model.Money;
import io.waybill.message.AppendTo;
import io.waybill.message.MessageType;
import java.util.UUID;

/** A payment was made. Those of one account keep their order. */
@MessageType("PaymentCompleted")
@AppendTo(value = PaymentCompleted.DESTINATION, inOrderOf = "debitAccountId")
public record PaymentCompleted(
        UUID paymentId, UUID debitAccountId, Money debitAmount, Money creditAmount, String beneficiary) {

    public static final String DESTINATION = "payments.completed";
}
