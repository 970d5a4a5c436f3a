/**
 * The console on the application's own web server: {@link io.waybill.spring.console.WaybillConsoleAutoConfiguration} makes it of the
 * settings under {@code waybill.console}.
 */
@NullMarked
package io.waybill.spring.console;

import org.jspecify.annotations.NullMarked;
