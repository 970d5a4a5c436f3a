/**
 * Messages over JMS 3.1.
 *
 * <p>{@link io.waybill.jms.Jms} is the broker, made of a connection factory, a URL or settings; {@code jms.publish} sends
 * one transaction per batch, {@code jms.receive} receives, {@code jms.client} connects.
 */
@NullMarked
package io.waybill.jms;

import org.jspecify.annotations.NullMarked;
