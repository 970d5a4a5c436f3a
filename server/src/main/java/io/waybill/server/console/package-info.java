/**
 * The web console: {@link io.waybill.server.console.ConsoleCommand} serves it, {@link io.waybill.server.console.ConsoleService} is it
 * beside something else.
 */
@NullMarked
package io.waybill.server.console;

import org.jspecify.annotations.NullMarked;
