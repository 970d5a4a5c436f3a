/**
 * The inbox table and the keys that wait behind a failed message.
 *
 * <p>{@link io.waybill.jdbc.internal.inbox.JdbcInboxStore}.
 */
@NullMarked
package io.waybill.jdbc.internal.inbox;

import org.jspecify.annotations.NullMarked;
