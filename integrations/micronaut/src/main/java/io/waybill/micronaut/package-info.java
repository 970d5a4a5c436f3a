/**
 * Waybill in a Micronaut application: wiring, and nothing else.
 *
 * <p>In reading order: {@link io.waybill.micronaut.WaybillBeans} has the beans that an application asks for; {@code MicronautInstanceFactory}
 * makes what is behind them: {@code Settings} is the configuration of an instance, found by {@code Keys}; {@code ChosenDatabase} its
 * data source with the transactions, which {@code MicronautTransactions} lets Waybill join; {@code HandlerBeans} and {@code
 * SubscriberBeans} are the services that handle something. {@code Problems} collects what is wrong with any of it. {@code Lifecycle}
 * starts and stops it all with the application; {@code WaybillReadiness} and {@code WaybillLiveness} are what {@code /health} says, and
 * {@code Meters} what is counted.
 */
@NullMarked
package io.waybill.micronaut;

import org.jspecify.annotations.NullMarked;
