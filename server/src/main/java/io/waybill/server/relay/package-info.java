/**
 * {@code relay}: the relay service and its health.
 *
 * <p>{@link io.waybill.server.relay.RelayService} runs a {@code SourceRunner} for each source; {@code RelayDrain} runs
 * until nothing is left; {@code HealthServer} answers probes.
 */
@NullMarked
package io.waybill.server.relay;

import org.jspecify.annotations.NullMarked;
