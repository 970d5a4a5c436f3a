/**
 * The admin API: a table of routes, each with the role it needs and the method that answers it.
 *
 * <p>{@link io.waybill.console.api.ApiRoutes} is the table; the classes whose names end with Api have the methods, one class for each
 * subject. They read by {@code io.waybill.jdbc} and change by {@code io.waybill.ops}, as the command line does.
 */
@NullMarked
package io.waybill.console.api;

import org.jspecify.annotations.NullMarked;
