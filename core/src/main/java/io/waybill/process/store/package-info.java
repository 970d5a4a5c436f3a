/**
 * SPI of the process tables.
 *
 * <p>{@link io.waybill.process.store.ProcessStore} loads and saves processes; {@link
 * io.waybill.process.store.ProcessRepository} and {@link io.waybill.process.store.ProcessLogRepository} read them; {@link
 * io.waybill.process.store.ProcessQuery} selects.
 */
@NullMarked
package io.waybill.process.store;

import org.jspecify.annotations.NullMarked;
