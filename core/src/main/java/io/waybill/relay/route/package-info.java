/**
 * Routes and options of a relay.
 *
 * <p>{@link io.waybill.relay.route.RelayOptions} is what can be set; {@link io.waybill.relay.route.Routes} finds the
 * {@link io.waybill.relay.route.Route} of a destination: to a broker or to a {@link io.waybill.relay.route.LocalHandler}.
 */
@NullMarked
package io.waybill.relay.route;

import org.jspecify.annotations.NullMarked;
