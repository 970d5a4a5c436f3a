/**
 * What commands share: options, listings, the terminal, errors.
 *
 * <p>{@link io.waybill.server.cli.Listing} prints rows as a table or as JSON; {@link io.waybill.server.cli.ChangeOptions}
 * confirms changes.
 */
@NullMarked
package io.waybill.server.cli;

import org.jspecify.annotations.NullMarked;
