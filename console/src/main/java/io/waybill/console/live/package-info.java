/** One answer for all browsers that show the same: {@link io.waybill.console.live.LiveCache}. */
@NullMarked
package io.waybill.console.live;

import org.jspecify.annotations.NullMarked;
