/**
 * Changes of many messages, which may take long: {@link io.waybill.console.operation.Operations} runs them in the background, {@link
 * io.waybill.console.operation.Operation} is one of them, with its progress.
 */
@NullMarked
package io.waybill.console.operation;

import org.jspecify.annotations.NullMarked;
