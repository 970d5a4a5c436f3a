/**
 * The console on the application's own web server: {@link io.waybill.micronaut.console.MicronautConsole} makes it of the keys under {@code
 * waybill.console}, {@link io.waybill.micronaut.console.ConsoleController} serves it.
 */
@NullMarked
package io.waybill.micronaut.console;

import org.jspecify.annotations.NullMarked;
