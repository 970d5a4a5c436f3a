/**
 * Work that people start from outside of the application: {@link io.waybill.ops.submission.CommandSubmission} accepts a command for
 * the handler of its type, {@link io.waybill.ops.submission.ProcessSubmission} has a node start a process whose definition it has.
 */
@NullMarked
package io.waybill.ops.submission;

import org.jspecify.annotations.NullMarked;
