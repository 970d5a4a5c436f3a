/**
 * Failed messages, Waybill's own and those of Symfony Messenger.
 *
 * <p>{@link io.waybill.jdbc.internal.failed.JdbcFailedStore} and {@link
 * io.waybill.jdbc.internal.failed.MessengerFailedStore}; {@code PhpSerialized} reads PHP's format without executing it.
 */
@NullMarked
package io.waybill.jdbc.internal.failed;

import org.jspecify.annotations.NullMarked;
