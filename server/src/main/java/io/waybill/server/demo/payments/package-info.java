/**
 * The payments of the demo: an application on Waybill as you would write one.
 *
 * <p>{@link io.waybill.server.demo.payments.PaymentsApp} puts it together and is the place to begin. {@link
 * io.waybill.server.demo.payments.PaymentTraffic} starts payments, {@code PaymentProcess} says which steps one has, the services handle the
 * steps, {@code PaymentCompleted} tells the ledger and the customers of it, and {@link io.waybill.server.demo.payments.PaymentFaults} breaks
 * them.
 */
@NullMarked
package io.waybill.server.demo.payments;

import org.jspecify.annotations.NullMarked;
