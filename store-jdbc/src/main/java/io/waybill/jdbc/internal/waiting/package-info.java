/**
 * What waits in the database.
 *
 * <p>{@link io.waybill.jdbc.internal.waiting.JdbcWaitingSource} lists it with {@code WaitingMessages} and {@code
 * WaitingProcesses}.
 */
@NullMarked
package io.waybill.jdbc.internal.waiting;

import org.jspecify.annotations.NullMarked;
