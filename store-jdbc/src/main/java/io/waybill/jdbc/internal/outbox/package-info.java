/**
 * The outbox table: append, claim, settle.
 *
 * <p>{@link io.waybill.jdbc.internal.outbox.JdbcOutboxStore} with a subclass for PostgreSQL and one for the others; {@link
 * io.waybill.jdbc.internal.outbox.VisibilityHorizon} and {@link io.waybill.jdbc.internal.outbox.LowWaterMarks} keep a
 * claim on PostgreSQL short and complete.
 */
@NullMarked
package io.waybill.jdbc.internal.outbox;

import org.jspecify.annotations.NullMarked;
