/**
 * The relay's configuration file.
 *
 * <p>{@link io.waybill.server.config.RelayConfigFile} reads a {@link io.waybill.server.config.RelayConfig}, {@link
 * io.waybill.server.config.ConfigWatch} notices changes; {@link io.waybill.server.config.LayoutOptions} are the options of
 * adopted tables.
 */
@NullMarked
package io.waybill.server.config;

import org.jspecify.annotations.NullMarked;
