/**
 * Processes without a database and without waiting.
 *
 * <p>{@link io.waybill.testkit.process.ProcessTestKit} runs one in virtual time and {@link
 * io.waybill.testkit.process.ProcessRunAssert} checks it; {@code process.simulation} runs it through everything that can
 * go wrong.
 */
@NullMarked
package io.waybill.testkit.process;

import org.jspecify.annotations.NullMarked;
