/**
 * {@code demo} and {@code bench}.
 *
 * <p>{@link io.waybill.server.demo.DemoCommand} runs the payments of {@link io.waybill.server.demo.payments}, or tells the way of one
 * message; {@link io.waybill.server.demo.BenchCommand} measures a database.
 */
@NullMarked
package io.waybill.server.demo;

import org.jspecify.annotations.NullMarked;
