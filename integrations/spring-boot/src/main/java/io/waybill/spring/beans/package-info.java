/**
 * Beans of the application that handle commands and messages.
 *
 * <p>{@link io.waybill.spring.beans.SpringHandlerBeans} and {@link io.waybill.spring.beans.SpringSubscriberBeans} find
 * them, {@link io.waybill.spring.beans.SpringHandlerCheck} refuses those that cannot work.
 */
@NullMarked
package io.waybill.spring.beans;

import org.jspecify.annotations.NullMarked;
