/**
 * What is counted: {@link io.waybill.telemetry.WaybillMeters} listens, and looks at the backlog when somebody asks.
 */
@NullMarked
package io.waybill.telemetry;

import org.jspecify.annotations.NullMarked;
