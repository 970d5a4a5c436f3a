/**
 * Everything that is printed: control characters are escaped and secrets are masked.
 *
 * <p>{@link io.waybill.server.output.SafeWriter} for the terminal, {@link io.waybill.server.output.SafeMessageConverter}
 * for the log, or {@link io.waybill.server.output.JsonLogEncoder} where programs read it.
 */
@NullMarked
package io.waybill.server.output;

import org.jspecify.annotations.NullMarked;
