/**
 * Databases started by tests.
 *
 * <p>{@link io.waybill.testkit.services.database.Postgres} and {@link io.waybill.testkit.services.database.MariaDb} hand
 * out a {@link io.waybill.testkit.services.database.TestDatabase}. Their libraries are optional dependencies; a missing
 * one is named in the error.
 */
@NullMarked
package io.waybill.testkit.services.database;

import org.jspecify.annotations.NullMarked;
