/**
 * {@code failed}: list, show, retry, edit, export and discard failed messages.
 *
 * <p>{@link io.waybill.server.failed.FailedCommand} is the group.
 */
@NullMarked
package io.waybill.server.failed;

import org.jspecify.annotations.NullMarked;
