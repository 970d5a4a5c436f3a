/**
 * Real processes that are killed, frozen and cut off. {@link io.waybill.it.RelayMain} is the process under test, {@link
 * io.waybill.it.LineBroker} the broker it talks to, {@link io.waybill.it.RelayProcess} the handle to kill it by.
 */
@NullMarked
package io.waybill.it;

import org.jspecify.annotations.NullMarked;
