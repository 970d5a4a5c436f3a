/**
 * The admin API and the web console for one database or many, inside any HTTP server.
 *
 * <p>{@link io.waybill.console.Console} answers a {@link io.waybill.console.request.ConsoleRequest}; {@link
 * io.waybill.console.ConsoleOptions} say for which databases, for whom, and what is hidden. Where no HTTP server is, {@link
 * io.waybill.console.http.ConsoleServer} is one.
 */
@NullMarked
package io.waybill.console;

import org.jspecify.annotations.NullMarked;
