/**
 * {@code doctor}: checks a database, its relays and its destinations.
 *
 * <p>{@link io.waybill.server.doctor.DoctorCommand} collects {@link io.waybill.server.doctor.Findings}.
 */
@NullMarked
package io.waybill.server.doctor;

import org.jspecify.annotations.NullMarked;
