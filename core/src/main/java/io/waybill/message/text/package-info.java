/**
 * Text: JSON, the rules for names, and the nearest of several names.
 *
 * <p>{@link io.waybill.message.text.Json} reads and writes the little JSON that headers need; {@link
 * io.waybill.message.text.NameRules} checks names and keys; {@link io.waybill.message.text.NearestName} finds what was
 * probably meant.
 */
@NullMarked
package io.waybill.message.text;

import org.jspecify.annotations.NullMarked;
