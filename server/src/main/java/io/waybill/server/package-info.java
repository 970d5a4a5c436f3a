/**
 * The command line: {@link io.waybill.server.Main} finds the command, each command is a class of its own.
 */
@NullMarked
package io.waybill.server;

import org.jspecify.annotations.NullMarked;
