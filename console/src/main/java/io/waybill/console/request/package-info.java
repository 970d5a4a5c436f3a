/**
 * A request to the console and its response, as any HTTP server has them: {@link io.waybill.console.request.ConsoleRequest}, {@link
 * io.waybill.console.request.ConsoleResponse}, and who asks: {@link io.waybill.console.request.Identity}.
 */
@NullMarked
package io.waybill.console.request;

import org.jspecify.annotations.NullMarked;
