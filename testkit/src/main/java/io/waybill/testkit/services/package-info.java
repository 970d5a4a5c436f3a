/**
 * Real databases and brokers for tests, without Docker.
 *
 * <p>What enters: the wish for a database, a topic, a queue. What leaves: an address nobody else uses. Each service is started
 * once per JVM when it is first asked for, on a free port of the loopback interface, and is gone when the JVM is.
 *
 * <p>In reading order:
 *
 * <ol>
 *   <li>{@link io.waybill.testkit.services.database.TestDatabase}: what every database service hands out;
 *   <li>{@link io.waybill.testkit.services.H2}, {@link io.waybill.testkit.services.database.Postgres},
 *       {@link io.waybill.testkit.services.database.MariaDb}: databases;
 *   <li>{@link io.waybill.testkit.services.broker.KafkaNode}, {@link io.waybill.testkit.services.broker.Artemis} (JMS),
 *       {@link io.waybill.testkit.services.broker.Rabbit} (AMQP 0-9-1: a RabbitMQ where there is one, else Qpid): brokers;
 *   <li>{@code Once}, {@code AtExit}, {@code Libraries}, {@code Children}, {@code TempDirectory}, {@code FreePort}: what they share.
 * </ol>
 *
 * <p>A {@code shared()} service lives as long as the JVM and is not to be closed. The brokers in this JVM have threads that keep
 * it alive: a {@code main} method that uses one ends with {@code System.exit}, as test runners do.
 *
 * <p>The libraries of a service are optional dependencies: add those of the services you use. A missing one is named in the
 * error. All failures are {@link IllegalStateException}s that say what was tried.
 */
@NullMarked
package io.waybill.testkit.services;

import org.jspecify.annotations.NullMarked;
