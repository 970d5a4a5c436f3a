package io.waybill.jms.client;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.waybill.message.Envelope;
import io.waybill.transport.Delivery;
import io.waybill.transport.wire.Headers;
import io.waybill.transport.wire.WireFormat;
import io.waybill.transport.wire.WireMessage;
import jakarta.jms.BytesMessage;
import jakarta.jms.JMSException;
import jakarta.jms.MapMessage;
import jakarta.jms.Message;
import jakarta.jms.ObjectMessage;
import jakarta.jms.Session;
import jakarta.jms.StreamMessage;
import jakarta.jms.TextMessage;
import java.util.Collections;
import java.util.Enumeration;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a message looks like in JMS: text as a text message and bytes as a bytes message; type and correlation in the fields JMS has
 * for them; the partition key as {@code JMSXGroupID}; other headers as properties.
 */
public record JmsMessages(WireFormat format) {

    private static final String CLOUD_EVENTS_PREFIX = "cloudEvents_";
    private static final String GROUP = "JMSXGroupID";

    public Message write(Session session, Envelope envelope) throws JMSException {
        WireMessage wire = format.write(envelope, CLOUD_EVENTS_PREFIX);
        Message message = body(session, envelope, wire.body());
        for (var header : wire.headers().entrySet()) {
            switch (header.getKey()) {
                case Headers.MESSAGE_TYPE -> message.setJMSType(header.getValue());
                case Headers.CORRELATION_ID -> message.setJMSCorrelationID(header.getValue());
                default -> message.setStringProperty(PropertyNames.encode(header.getKey()), header.getValue());
            }
        }
        if (envelope.isOrdered()) {
            message.setStringProperty(GROUP, envelope.partitionKey());
        }
        return message;
    }

    private Message body(Session session, Envelope envelope, byte[] body) throws JMSException {
        if (envelope.payload().isText() || format == WireFormat.CLOUDEVENTS_STRUCTURED) {
            return session.createTextMessage(new String(body, UTF_8));
        }
        BytesMessage message = session.createBytesMessage();
        message.writeBytes(body);
        return message;
    }

    /** Maps, streams and objects are not: they have no one way to be written as bytes, and objects are not safe to read. */
    public static boolean isReadable(Message message) {
        return !(message instanceof MapMessage || message instanceof StreamMessage || message instanceof ObjectMessage);
    }

    public static Delivery read(String source, Message message) throws JMSException {
        var headers = new HashMap<String, String>();
        for (Object property : Collections.list((Enumeration<?>) message.getPropertyNames())) {
            String name = property.toString();
            Object value = message.getObjectProperty(name);
            if (value != null && !isOfTheBroker(name)) {
                headers.put(PropertyNames.decode(name), value.toString());
            }
        }
        putIfThere(headers, Headers.MESSAGE_TYPE, message.getJMSType());
        putIfThere(headers, Headers.CORRELATION_ID, message.getJMSCorrelationID());
        return new Delivery(
                source,
                orEmpty(message.getStringProperty(GROUP)),
                orEmpty(message.getJMSMessageID()),
                new WireMessage(headers, bytes(message)));
    }

    private static boolean isOfTheBroker(String property) {
        return property.startsWith("JMS") || property.startsWith("_AMQ_") || property.startsWith("__AMQ_");
    }

    private static byte[] bytes(Message message) throws JMSException {
        if (message instanceof TextMessage text) {
            return orEmpty(text.getText()).getBytes(UTF_8);
        } else if (message instanceof BytesMessage body) {
            byte[] bytes = new byte[Math.toIntExact(body.getBodyLength())];
            int read = bytes.length == 0 ? 0 : body.readBytes(bytes);
            if (read != bytes.length) {
                throw new JMSException("Of the " + bytes.length + " bytes of message " + message.getJMSMessageID()
                        + " only " + read + " arrived.");
            }
            return bytes;
        } else {
            return new byte[0];
        }
    }

    private static void putIfThere(Map<String, String> headers, String name, @Nullable String value) {
        if (value != null && !value.isEmpty()) {
            headers.put(name, value);
        }
    }

    private static String orEmpty(@Nullable String value) {
        return value == null ? "" : value;
    }
}
