/**
 * What receiving promises on every store.
 *
 * <p>{@link io.waybill.testkit.contract.inbox.ReceivingContract} first.
 */
@NullMarked
package io.waybill.testkit.contract.inbox;

import org.jspecify.annotations.NullMarked;
