/**
 * Outbox tables that another program owns and writes, served by the same relay.
 *
 * <p>{@link io.waybill.jdbc.layout.AdoptedTable} checks the real table and provides the stores for a relay; {@link
 * io.waybill.jdbc.layout.MessengerDsn} reads Symfony's address. A destination of an adopted table is sent by one relay at
 * a time: its shard is a hash of its name.
 */
@NullMarked
package io.waybill.jdbc.layout;

import org.jspecify.annotations.NullMarked;
