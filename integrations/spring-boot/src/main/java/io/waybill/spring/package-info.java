/**
 * Waybill in a Spring Boot application: wiring only.
 *
 * <p>Enters: the application's {@code DataSource}, its transaction manager, its beans and the settings under {@code waybill}. Leaves:
 * {@code Outbox}, {@code CommandBus}, {@code ProcessManager}, {@code FailedMessages} and the instance as beans, for each data source that was chosen.
 *
 * <p>In reading order: {@code WaybillAutoConfiguration}; {@code SpringInstanceFactory}, which looks at everything before it builds an instance for each data source ({@code
 * DataSourceChoice}, {@code Placement}): {@code WaybillProperties} and the {@code Settings} made of them (with {@code Problems}: all of them at
 * once), {@code PoolCheck}, {@code SpringTransactions}, {@code HandlerBeans} and {@code SubscriberBeans}; {@code WaybillLifecycle}, and for operators
 * {@code WaybillHealthAutoConfiguration} and {@code WaybillMetricsAutoConfiguration}.
 */
@NullMarked
package io.waybill.spring;

import org.jspecify.annotations.NullMarked;
