package io.waybill.kafka;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.waybill.message.Envelope;
import io.waybill.transport.wire.WireFormat;
import io.waybill.transport.wire.WireMessage;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.internals.RecordHeader;
import org.apache.kafka.common.utils.Utils;
import org.jspecify.annotations.Nullable;

/**
 * A message as a record, with the partition it goes to.
 *
 * @param index where its message is in the batch that was given
 * @param size how many bytes a batch with this record alone has, at most
 * @param limit how many bytes a batch of its topic may have
 */
record Parcel(
        int index,
        Envelope message,
        TopicPartition partition,
        ProducerRecord<byte[], byte[]> record,
        int size,
        int limit) {

    private static final String CLOUDEVENTS_PREFIX = "ce_";

    /** Of the head of a batch, and of what stands around the fields of a record at most. */
    private static final int BATCH_HEAD = 61;

    private static final int RECORD_FRAME = 36;
    private static final int HEADER_FRAME = 10;

    static Parcel of(int index, Envelope message, WireFormat format, Topics.Topic topic, int spread) {
        byte @Nullable [] key =
                Records.bytes(message, message.key().isEmpty() ? message.partitionKey() : message.key());
        WireMessage wire = format.write(message, CLOUDEVENTS_PREFIX);
        List<Header> headers = headers(wire);
        TopicPartition partition = partition(message, topic, spread);
        return new Parcel(
                index,
                message,
                partition,
                new ProducerRecord<>(topic.name(), partition.partition(), key, wire.body(), headers),
                size(key, wire.body(), headers),
                topic.maxMessageBytes());
    }

    /** What the record has for certain: its frame may be smaller than thought. */
    int leastSize() {
        return size - RECORD_FRAME - HEADER_FRAME * record.headers().toArray().length;
    }

    /** As Kafka's own partitioner chooses for these bytes; without any, one after the other. */
    private static TopicPartition partition(Envelope message, Topics.Topic topic, int spread) {
        byte @Nullable [] chosenBy =
                Records.bytes(message, message.isOrdered() ? message.partitionKey() : message.key());
        int hash = Utils.toPositive(chosenBy == null ? spread : Utils.murmur2(chosenBy));
        return topic.partitions().get(hash % topic.partitions().size());
    }

    private static List<Header> headers(WireMessage wire) {
        var headers = new ArrayList<Header>(wire.headers().size());
        wire.headers().forEach((name, value) -> {
            if (!name.equals(Records.KEY_ENCODING)) {
                headers.add(new RecordHeader(name, value.getBytes(UTF_8)));
            }
        });
        return headers;
    }

    private static int size(byte @Nullable [] key, byte[] body, List<Header> headers) {
        int size = BATCH_HEAD + RECORD_FRAME + (key == null ? 0 : key.length) + body.length;
        for (Header header : headers) {
            size += HEADER_FRAME + Utils.utf8Length(header.key()) + header.value().length;
        }
        return size;
    }
}
