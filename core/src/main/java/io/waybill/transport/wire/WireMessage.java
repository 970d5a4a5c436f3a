package io.waybill.transport.wire;

import java.util.Map;

/**
 * A message on the wire.
 *
 * <p>A transport whose protocol has fields of its own for {@link Headers#MESSAGE_ID}, {@link Headers#MESSAGE_TYPE},
 * {@link Headers#CONTENT_TYPE} or {@link Headers#CORRELATION_ID} writes those headers there, and puts them back under these
 * names when it receives. The body is handed on, neither copied nor compared.
 */
@SuppressWarnings("ArrayRecordComponent")
public record WireMessage(Map<String, String> headers, byte[] body) {

    public WireMessage {
        headers = Map.copyOf(headers);
    }

    public String header(String name) {
        return headers.getOrDefault(name, "");
    }
}
