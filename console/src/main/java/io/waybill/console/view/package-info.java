/**
 * Messages as the API shows them.
 *
 * <p>{@link io.waybill.console.view.MessageView} is a row; {@link io.waybill.console.view.AttemptView} is a line of its history.
 */
@NullMarked
package io.waybill.console.view;

import org.jspecify.annotations.NullMarked;
