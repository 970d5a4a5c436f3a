/**
 * Explains and draws the state of a process.
 *
 * <p>{@link io.waybill.process.view.Explanation} in sentences, {@link io.waybill.process.view.ProcessSvg} as a drawing, {@link
 * io.waybill.process.view.ProcessPage} both on one page.
 */
@NullMarked
package io.waybill.process.view;

import org.jspecify.annotations.NullMarked;
