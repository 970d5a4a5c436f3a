/**
 * Waybill in a Micronaut application: wiring, and nothing else.
 *
 * <p>In reading order: {@link io.waybill.micronaut.WaybillFactory} makes the beans that an application asks for; {@code Settings} is
 * the configuration, {@code ChosenDatabase} the data source with its transactions; {@code MicronautTransactions} lets Waybill join
 * {@code @Transactional}; {@code HandlerBeans} finds the services that handle commands; {@code Lifecycle} starts and stops it with
 * the application; {@code WaybillHealth} is what {@code /health} says.
 */
@NullMarked
package io.waybill.micronaut;

import org.jspecify.annotations.NullMarked;
