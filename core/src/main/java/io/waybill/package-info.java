/**
 * Reliable messaging on the database an application already has.
 *
 * <p>The packages are the journey of a message, and each knows only those before it: {@code message} (what travels),
 * {@code store} and {@code transport} (what a database and a broker must offer), {@code outbox} (append), {@code relay}
 * (claim, publish, settle), {@code inbox} (receive, handle once).
 */
@NullMarked
package io.waybill;

import org.jspecify.annotations.NullMarked;
