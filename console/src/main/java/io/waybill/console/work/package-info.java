/**
 * Routes for work that operators start or move: {@link io.waybill.console.work.ScheduledApi} messages for later, {@link
 * io.waybill.console.work.SubmissionApi} commands and processes.
 */
@NullMarked
package io.waybill.console.work;

import org.jspecify.annotations.NullMarked;
