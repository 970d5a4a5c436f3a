/**
 * The console inside an application, under a path of its web server: {@link io.waybill.console.embed.EmbeddedConsoleSettings} says how, and
 * makes the {@link io.waybill.console.embed.EmbeddedConsole} that answers what the server received.
 */
@NullMarked
package io.waybill.console.embed;

import org.jspecify.annotations.NullMarked;
