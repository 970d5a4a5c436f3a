/**
 * Processes without a database and without waiting: {@link io.waybill.testkit.process.ProcessTestKit} runs one in virtual time, {@link
 * io.waybill.testkit.process.simulation.ProcessSimulator} runs it through everything that can go wrong.
 */
@NullMarked
package io.waybill.testkit.process;

import org.jspecify.annotations.NullMarked;
