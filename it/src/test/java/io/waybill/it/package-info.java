/**
 * Real processes that are killed, frozen and cut off. {@link io.waybill.it.crash.RelayMain} is the process under test, {@link
 * io.waybill.it.crash.LineBroker} the broker it talks to, {@link io.waybill.it.crash.RelayProcess} the handle to kill it by.
 */
@NullMarked
package io.waybill.it;

import org.jspecify.annotations.NullMarked;
