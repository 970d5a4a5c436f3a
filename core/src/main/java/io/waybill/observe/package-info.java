/**
 * What happened, for whoever counts or logs it: {@link io.waybill.observe.RelayListener}.
 */
@NullMarked
package io.waybill.observe;

import org.jspecify.annotations.NullMarked;
