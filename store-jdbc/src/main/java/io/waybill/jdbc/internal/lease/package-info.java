/**
 * Leases of shards.
 *
 * <p>{@link io.waybill.jdbc.internal.lease.JdbcLeaseStore} acquires and renews them; {@link
 * io.waybill.jdbc.internal.lease.HeldLeasesSql} is the condition that a statement may only run while they hold.
 */
@NullMarked
package io.waybill.jdbc.internal.lease;

import org.jspecify.annotations.NullMarked;
