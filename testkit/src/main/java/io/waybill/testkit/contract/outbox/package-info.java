/**
 * What every store promises about outbox, leases and cleanup.
 *
 * <p>{@link io.waybill.testkit.contract.outbox.OutboxStoreContract} first.
 */
@NullMarked
package io.waybill.testkit.contract.outbox;

import org.jspecify.annotations.NullMarked;
