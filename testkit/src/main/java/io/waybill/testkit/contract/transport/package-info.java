/**
 * What every transport promises, against its real broker.
 *
 * <p>{@link io.waybill.testkit.contract.transport.PublisherContract} and {@link
 * io.waybill.testkit.contract.transport.SubscriptionContract}.
 */
@NullMarked
package io.waybill.testkit.contract.transport;

import org.jspecify.annotations.NullMarked;
