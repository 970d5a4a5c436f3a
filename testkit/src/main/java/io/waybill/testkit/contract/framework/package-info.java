/**
 * What every framework integration promises.
 *
 * <p>{@link io.waybill.testkit.contract.framework.FrameworkContract}.
 */
@NullMarked
package io.waybill.testkit.contract.framework;

import org.jspecify.annotations.NullMarked;
