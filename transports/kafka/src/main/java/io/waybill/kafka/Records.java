package io.waybill.kafka;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.waybill.message.Envelope;
import io.waybill.transport.Delivery;
import io.waybill.transport.wire.WireMessage;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.util.Base64;
import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.ClusterResource;
import org.apache.kafka.common.ClusterResourceListener;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.jspecify.annotations.Nullable;

/**
 * Records as deliveries. Where a record is says its topic, partition and offset; a topic that was made anew has the same ones, and so has
 * another cluster, so the cluster and the record's own time belong to it.
 *
 * <p><i>Threads:</i> safe.
 */
final class Records extends ByteArrayDeserializer implements ClusterResourceListener {

    /** Says that the key is not text: what stands for it is Base64 of its bytes. */
    static final String KEY_ENCODING = "kafka-key-encoding";

    private static final String BASE64 = "base64";

    private volatile String cluster = "";

    /** The consumer hears it with its first answer from the cluster, before any record. */
    @Override
    public void onUpdate(ClusterResource resource) {
        if (resource.clusterId() != null) {
            cluster = resource.clusterId();
        }
    }

    Delivery delivery(ConsumerRecord<byte[], byte[]> record) {
        var headers = headers(record);
        return new Delivery(
                record.topic(),
                key(record.key(), headers),
                record.topic() + "-" + record.partition() + "@" + record.offset() + " of " + record.timestamp() + " in "
                        + cluster,
                new WireMessage(headers, record.value() == null ? new byte[0] : record.value()));
    }

    private static Map<String, String> headers(ConsumerRecord<byte[], byte[]> record) {
        var headers = new HashMap<String, String>();
        for (Header header : record.headers()) {
            headers.put(header.key(), header.value() == null ? "" : new String(header.value(), UTF_8));
        }
        return headers;
    }

    private static String key(byte @Nullable [] key, Map<String, String> headers) {
        headers.remove(KEY_ENCODING);
        if (key == null) {
            return "";
        }
        try {
            return UTF_8.newDecoder().decode(ByteBuffer.wrap(key)).toString();
        } catch (CharacterCodingException e) {
            headers.put(KEY_ENCODING, BASE64);
            return Base64.getEncoder().encodeToString(key);
        }
    }

    /** The bytes of this key of a message that is published, which may have been received before. */
    static byte @Nullable [] bytes(Envelope message, String key) {
        if (key.isEmpty()) {
            return null;
        }
        if (BASE64.equals(message.headers().get(KEY_ENCODING))) {
            try {
                return Base64.getDecoder().decode(key);
            } catch (IllegalArgumentException e) {
                return key.getBytes(UTF_8); // Changed since it was received.
            }
        }
        return key.getBytes(UTF_8);
    }
}
