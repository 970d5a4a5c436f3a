/**
 * What a relay promises on every store.
 *
 * <p>{@link io.waybill.testkit.contract.relay.RelayContract} first; each of the others breaks something.
 */
@NullMarked
package io.waybill.testkit.contract.relay;

import org.jspecify.annotations.NullMarked;
