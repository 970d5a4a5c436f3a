/**
 * The command line.
 *
 * <p>{@link io.waybill.server.Main} finds the command; each group of commands has a package.
 */
@NullMarked
package io.waybill.server;

import org.jspecify.annotations.NullMarked;
