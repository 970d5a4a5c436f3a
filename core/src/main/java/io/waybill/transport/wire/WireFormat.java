package io.waybill.transport.wire;

import io.waybill.WaybillException;
import io.waybill.message.Category;
import io.waybill.message.Envelope;
import io.waybill.transport.WireReader;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/** How a message looks on the wire. A receiver recognises the format by itself: see {@link WireReader}. */
public enum WireFormat {

    /** The payload as it is; id, type and the application's headers as headers; of commands also the partition key. */
    PLAIN {
        @Override
        public WireMessage write(Envelope message, String prefix) {
            Map<String, String> headers = new HashMap<>(message.headers());
            headers.put(Headers.MESSAGE_ID, message.id().toString());
            headers.put(Headers.CONTENT_TYPE, message.contentType());
            if (!message.type().isEmpty()) {
                headers.put(Headers.MESSAGE_TYPE, message.type());
            }
            if (message.category() != Category.EVENT) {
                headers.put(Headers.MESSAGE_CATEGORY, message.category().label());
            }
            if (message.category() == Category.COMMAND && message.isOrdered()) {
                headers.put(Headers.PARTITION_KEY, message.partitionKey());
            }
            return new WireMessage(headers, message.payload().asBytes());
        }
    },

    /** CloudEvents 1.0 in binary mode: the payload as it is, the event's attributes as headers with a prefix. */
    CLOUDEVENTS_BINARY {
        @Override
        public WireMessage write(Envelope message, String prefix) {
            Map<String, String> headers = CloudEvents.headersOf(message);
            CloudEvents.attributesOf(message).forEach((name, value) -> headers.put(prefix + name, value));
            headers.put(Headers.CONTENT_TYPE, message.contentType());
            return new WireMessage(headers, message.payload().asBytes());
        }
    },

    /** CloudEvents 1.0 in structured mode: one JSON document with the event's attributes and the payload. */
    CLOUDEVENTS_STRUCTURED {
        @Override
        public WireMessage write(Envelope message, String prefix) {
            Map<String, String> headers = CloudEvents.headersOf(message);
            headers.put(Headers.CONTENT_TYPE, CloudEvents.JSON);
            return new WireMessage(headers, CloudEvents.document(message));
        }
    };

    /**
     * The message in this format.
     *
     * @param prefix of CloudEvents attributes in this protocol: {@code ce_} on Kafka, {@code ce-} in HTTP
     */
    public abstract WireMessage write(Envelope message, String prefix);

    /** As in configurations: {@code plain}, {@code cloudevents-binary}, {@code cloudevents-structured}. */
    public String label() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    public static WireFormat of(String label) {
        return Arrays.stream(values())
                .filter(format -> format.label().equals(label))
                .findFirst()
                .orElseThrow(() -> new WaybillException("'" + label + "' is no wire format. There are "
                        + Arrays.stream(values()).map(WireFormat::label).collect(Collectors.joining(", ")) + "."));
    }
}
