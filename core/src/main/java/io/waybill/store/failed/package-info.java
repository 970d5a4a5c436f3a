/**
 * SPI of failed messages: those that a handler could not process.
 *
 * <p>{@link io.waybill.store.failed.FailedStore} keeps them with the {@link io.waybill.store.failed.Failure}; {@link
 * io.waybill.store.failed.FailedSelection} selects some of them for an operator.
 */
@NullMarked
package io.waybill.store.failed;

import org.jspecify.annotations.NullMarked;
