/**
 * Explains the state of a process in sentences.
 *
 * <p>{@link io.waybill.process.view.Explanation}.
 */
@NullMarked
package io.waybill.process.view;

import org.jspecify.annotations.NullMarked;
