/**
 * Operators' statements on the outbox.
 *
 * <p>{@link io.waybill.jdbc.internal.admin.JdbcOutboxAdmin} lists and changes messages, {@link
 * io.waybill.jdbc.internal.admin.JdbcCleanupStore} removes them.
 */
@NullMarked
package io.waybill.jdbc.internal.admin;

import org.jspecify.annotations.NullMarked;
