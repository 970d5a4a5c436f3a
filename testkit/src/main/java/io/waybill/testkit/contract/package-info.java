/**
 * What every store must do, as tests. An implementation extends each contract and gives a {@link
 * io.waybill.testkit.contract.support.StoreFixture}; nothing else.
 */
@NullMarked
package io.waybill.testkit.contract;

import org.jspecify.annotations.NullMarked;
