/**
 * What travels.
 *
 * <p>In reading order: {@link io.waybill.message.Message} is what an application writes; {@link
 * io.waybill.message.Envelope} is the same once it is encoded, and is what stores keep and transports carry; {@link
 * io.waybill.message.Payload} is its body. {@link io.waybill.message.PayloadCodec} makes bodies of objects, {@link
 * io.waybill.message.MessageType} and {@link io.waybill.message.MessageTypes} keep the names of messages apart from the names
 * of classes. {@link io.waybill.message.text.NameRules} holds the rules for names and keys, {@link
 * io.waybill.message.text.Json} the little JSON that headers and checks need.
 *
 * <p>Next stage: {@code io.waybill.outbox}.
 */
@NullMarked
package io.waybill.message;

import org.jspecify.annotations.NullMarked;
