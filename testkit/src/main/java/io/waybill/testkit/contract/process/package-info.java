/**
 * What every process store promises.
 *
 * <p>{@link io.waybill.testkit.contract.process.ProcessStoreContract} first.
 */
@NullMarked
package io.waybill.testkit.contract.process;

import org.jspecify.annotations.NullMarked;
