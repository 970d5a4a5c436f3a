/**
 * Definition of a process: the DSL and the versions that are deployed.
 *
 * <p>{@link io.waybill.process.definition.ProcessConfiguration} is what an application implements; {@link
 * io.waybill.process.definition.ProcessGraphBuilder} and {@link io.waybill.process.definition.ProcessFlow} are the DSL;
 * {@link io.waybill.process.definition.ProcessDefinitions} holds every version.
 */
@NullMarked
package io.waybill.process.definition;

import org.jspecify.annotations.NullMarked;
