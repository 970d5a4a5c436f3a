/** Messages for later on the command line: list, publish now, discard. */
@NullMarked
package io.waybill.server.outbox.scheduled;

import org.jspecify.annotations.NullMarked;
