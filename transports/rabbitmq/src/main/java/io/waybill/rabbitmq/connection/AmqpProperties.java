package io.waybill.rabbitmq.connection;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.rabbitmq.client.AMQP.BasicProperties;
import io.waybill.message.Envelope;
import io.waybill.transport.wire.Headers;
import io.waybill.transport.wire.WireMessage;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The headers of a message as AMQP carries them: some have a property of their own, the others are in its table of headers. */
public final class AmqpProperties {

    /** Of CloudEvents attributes, as their binding to AMQP says. */
    public static final String CLOUDEVENTS_PREFIX = "cloudEvents:";

    private static final int PERSISTENT = 2;
    private static final int MAX_SHORT_STRING = 255;

    private AmqpProperties() {}

    /** The message id is always there: it is what tells which message a broker returned. */
    public static BasicProperties of(Envelope sent, WireMessage message, boolean sendKey) {
        Map<String, Object> table = new HashMap<>(message.headers());
        table.remove(Headers.MESSAGE_ID);
        if (sendKey && sent.isOrdered()) {
            table.put(Headers.PARTITION_KEY, sent.partitionKey());
        }
        return new BasicProperties.Builder()
                .deliveryMode(PERSISTENT)
                .messageId(sent.id().toString())
                .type(taken(table, Headers.MESSAGE_TYPE))
                .contentType(taken(table, Headers.CONTENT_TYPE))
                .correlationId(taken(table, Headers.CORRELATION_ID))
                .headers(table)
                .build();
    }

    /** Everything as it was before {@link #of}; what others sent as a number or a list becomes text. */
    public static Map<String, String> headers(BasicProperties properties) {
        Map<String, String> headers = new HashMap<>();
        if (properties.getHeaders() != null) {
            properties.getHeaders().forEach((name, value) -> put(headers, name, value));
        }
        put(headers, Headers.MESSAGE_ID, properties.getMessageId());
        put(headers, Headers.MESSAGE_TYPE, properties.getType());
        put(headers, Headers.CONTENT_TYPE, properties.getContentType());
        put(headers, Headers.CORRELATION_ID, properties.getCorrelationId());
        return headers;
    }

    /** Whether a property, a name of a header or a routing key can hold it. */
    public static boolean isShort(String text) {
        return text.length() <= MAX_SHORT_STRING && text.getBytes(UTF_8).length <= MAX_SHORT_STRING;
    }

    /** For a property; what is too long for one stays in the table. */
    private static @Nullable String taken(Map<String, Object> table, String name) {
        Object value = table.get(name);
        if (value == null || !isShort(value.toString())) {
            return null;
        }
        table.remove(name);
        return value.toString();
    }

    private static void put(Map<String, String> headers, String name, @Nullable Object value) {
        if (value != null) {
            headers.put(name, value.toString());
        }
    }
}
