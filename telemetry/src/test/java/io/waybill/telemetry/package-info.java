@NullMarked
package io.waybill.telemetry;

import org.jspecify.annotations.NullMarked;
