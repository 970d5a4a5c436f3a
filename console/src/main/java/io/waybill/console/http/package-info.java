/**
 * A small HTTP server, for where no other one is: {@link io.waybill.console.http.ConsoleServer}. Slow clients cost it no thread.
 */
@NullMarked
package io.waybill.console.http;

import org.jspecify.annotations.NullMarked;
