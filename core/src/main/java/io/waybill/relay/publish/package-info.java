/**
 * Publishes claimed batches to brokers and turns outcomes into settlements.
 *
 * <p>{@link io.waybill.relay.publish.BatchSender} sends a batch, {@link io.waybill.relay.publish.InFlightPublishes} are
 * those on their way, {@link io.waybill.relay.publish.CircuitBreakers} leave destinations alone that are away.
 */
@NullMarked
package io.waybill.relay.publish;

import org.jspecify.annotations.NullMarked;
