/**
 * Who may ask, and what they may see.
 *
 * <p>{@link io.waybill.console.security.TrustedProxies} says whom a request comes from, {@link io.waybill.console.security.Users}
 * authenticates, {@link io.waybill.console.security.RoleMapping} knows the roles of those whom somebody else has authenticated, {@link io.waybill.console.security.OriginCheck} refuses requests that
 * other sites made a browser send, {@link io.waybill.console.security.PayloadMask} hides values, {@link
 * io.waybill.console.security.SecurityHeaders} tells the browser what a page may do.
 */
@NullMarked
package io.waybill.console.security;

import org.jspecify.annotations.NullMarked;
