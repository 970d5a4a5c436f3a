/**
 * Publishes with confirms.
 *
 * <p>{@link io.waybill.rabbitmq.publish.ConfirmingPublisher} sends what a {@code ConfirmBatch} allows and waits for the
 * confirms of a {@code ConfirmChannel}.
 */
@NullMarked
package io.waybill.rabbitmq.publish;

import org.jspecify.annotations.NullMarked;
