/**
 * The process tables.
 *
 * <p>{@link io.waybill.jdbc.internal.process.JdbcProcessStore} loads with {@code ProcessReads} and saves with {@code
 * ProcessWrites}; {@code ProcessEvents} is the stored form of events.
 */
@NullMarked
package io.waybill.jdbc.internal.process;

import org.jspecify.annotations.NullMarked;
