/**
 * What is counted, for Micrometer. {@link io.waybill.telemetry.WaybillMeters} has everything of an instance. It is made of {@link
 * io.waybill.telemetry.RelayMeters}, which listens to relays, and {@link io.waybill.telemetry.OutboxMeters}, which shows what waits; the
 * relay service uses these two for each of its sources.
 */
@NullMarked
package io.waybill.telemetry;

import org.jspecify.annotations.NullMarked;
