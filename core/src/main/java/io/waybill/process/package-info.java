/**
 * Processes: steps that are commands, in an order, with compensation when one of them fails.
 *
 * <p>{@link io.waybill.process.ProcessManager} starts, signals and steers them; {@code ProcessDecisions} loads a process,
 * lets the engine decide and stores the decision; {@link io.waybill.process.CommandSender} sends what follows. Definitions
 * are in {@code process.definition}, the pure engine in {@code process.engine}.
 */
@NullMarked
package io.waybill.process;

import org.jspecify.annotations.NullMarked;
