/**
 * Who may ask, and what they may see.
 *
 * <p>{@link io.waybill.console.security.Users} authenticates, {@link io.waybill.console.security.OriginCheck} refuses requests that
 * other sites made a browser send, {@link io.waybill.console.security.Masking} hides values, {@link
 * io.waybill.console.security.SecurityHeaders} tells the browser what a page may do.
 */
@NullMarked
package io.waybill.console.security;

import org.jspecify.annotations.NullMarked;
