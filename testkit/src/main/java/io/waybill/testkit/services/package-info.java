/**
 * Real databases and brokers for tests, without Docker.
 *
 * <p>Each service is started once per JVM when it is first asked for, on a free port of the loopback interface, and ends
 * with the JVM. {@link io.waybill.testkit.services.H2} is here, the others in {@code services.database} and {@code
 * services.broker}.
 */
@NullMarked
package io.waybill.testkit.services;

import org.jspecify.annotations.NullMarked;
