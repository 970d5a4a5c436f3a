/**
 * Compares the deployed versions of definitions with the processes in flight.
 *
 * <p>{@code VersionCheck} compares, {@link io.waybill.process.version.VersionReport} is its result.
 */
@NullMarked
package io.waybill.process.version;

import org.jspecify.annotations.NullMarked;
