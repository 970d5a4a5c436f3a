/**
 * Configuration of an instance, and what is wrong with it.
 *
 * <p>{@link io.waybill.micronaut.settings.MicronautSettings} is read by {@link io.waybill.micronaut.settings.Keys}; {@link
 * io.waybill.micronaut.settings.ChosenDatabase} is its data source; {@link
 * io.waybill.micronaut.settings.MicronautProblems} collects every problem so that they are reported at once.
 */
@NullMarked
package io.waybill.micronaut.settings;

import org.jspecify.annotations.NullMarked;
