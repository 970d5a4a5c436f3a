/**
 * {@code process}: inspect and steer processes.
 *
 * <p>{@link io.waybill.server.process.ProcessCommand} is the group.
 */
@NullMarked
package io.waybill.server.process;

import org.jspecify.annotations.NullMarked;
