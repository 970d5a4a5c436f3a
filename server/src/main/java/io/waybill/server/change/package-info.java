/**
 * Selections and changes that several groups of commands use.
 *
 * <p>{@link io.waybill.server.change.SelectedChange} lists, asks and changes; {@link io.waybill.server.change.SubmittedRequest} sends
 * something to an application.
 */
@NullMarked
package io.waybill.server.change;

import org.jspecify.annotations.NullMarked;
