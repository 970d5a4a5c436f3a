/**
 * Base of the contracts of a store.
 *
 * <p>An implementation gives a {@link io.waybill.testkit.contract.support.StoreFixture} and nothing else.
 */
@NullMarked
package io.waybill.testkit.contract.support;

import org.jspecify.annotations.NullMarked;
