/**
 * What commands promise on every store.
 *
 * <p>{@link io.waybill.testkit.contract.command.CommandContract} first.
 */
@NullMarked
package io.waybill.testkit.contract.command;

import org.jspecify.annotations.NullMarked;
