package io.waybill.server.demo.payments;

/** A rule of the business forbids the payment: it is compensated, not retried. */
final class PaymentRefusedException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    PaymentRefusedException(String reason) {
        super(reason);
    }
}
