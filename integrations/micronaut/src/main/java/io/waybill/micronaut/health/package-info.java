/**
 * Health indicators and meters.
 *
 * <p>{@link io.waybill.micronaut.health.WaybillReadiness} and {@link io.waybill.micronaut.health.WaybillLiveness}.
 */
@NullMarked
package io.waybill.micronaut.health;

import org.jspecify.annotations.NullMarked;
