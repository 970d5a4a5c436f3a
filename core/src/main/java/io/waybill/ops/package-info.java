/**
 * What people do: look, replay, discard, clean up.
 *
 * <p>In reading order: {@link io.waybill.ops.OutboxOperations} changes what was refused; {@link io.waybill.ops.Edit} edits a
 * message on the way; {@link io.waybill.ops.FailedMessages} does the same for what could not be handled;
 * {@link io.waybill.ops.Cleanup} removes what is over, and {@link io.waybill.ops.NdjsonArchive} keeps a
 * copy in a file.
 */
@NullMarked
package io.waybill.ops;

import org.jspecify.annotations.NullMarked;
