package io.waybill.server.demo.payments;

import io.waybill.message.AppendTo;
import io.waybill.message.MessageType;
import java.math.BigDecimal;

/** A payment was made. Those of one account keep their order. */
@MessageType("PaymentCompleted")
@AppendTo(value = PaymentCompleted.DESTINATION, inOrderOf = "account")
record PaymentCompleted(String paymentId, String account, BigDecimal amount, String beneficiary) {

    static final String DESTINATION = "payments.completed";
}
