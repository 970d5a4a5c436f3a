/**
 * Connections to a JMS broker.
 *
 * <p>{@link io.waybill.jms.client.JmsEndpoint} is a broker, {@link io.waybill.jms.client.JmsLink} a connection with a
 * transacted session, {@link io.waybill.jms.client.JmsFault} says whose fault an exception is. {@link
 * io.waybill.jms.client.ArtemisClient} and {@link io.waybill.jms.client.IbmMqClient} are all that touches a vendor's
 * classes; {@link io.waybill.jms.client.JmsMessages} converts messages.
 */
@NullMarked
package io.waybill.jms.client;

import org.jspecify.annotations.NullMarked;
