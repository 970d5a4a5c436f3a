/**
 * {@code demo} and {@code bench}.
 *
 * <p>{@link io.waybill.server.demo.DemoCommand} tells a story on a real database, {@link
 * io.waybill.server.demo.BenchCommand} measures one.
 */
@NullMarked
package io.waybill.server.demo;

import org.jspecify.annotations.NullMarked;
