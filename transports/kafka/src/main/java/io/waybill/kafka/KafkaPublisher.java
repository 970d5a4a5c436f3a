package io.waybill.kafka;

import static java.util.stream.Collectors.toSet;

import io.waybill.message.Envelope;
import io.waybill.transport.Deadline;
import io.waybill.transport.Outcome;
import io.waybill.transport.Publisher;
import io.waybill.transport.wire.WireFormat;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.apache.kafka.clients.producer.ProducerConfig;

/** Publishes to Kafka in {@link Waves}. */
final class KafkaPublisher implements Publisher {

    private final Topics topics;
    private final OrderedProducer producer;
    private final WireFormat format;
    private final int batchBytes;
    private final int requestBytes;
    private final int maxPartitions;
    private final boolean compresses;
    private int spread;

    KafkaPublisher(Topics topics, OrderedProducer producer, KafkaSettings settings, WireFormat format) {
        this.topics = topics;
        this.producer = producer;
        this.format = format;
        this.batchBytes = settings.ofProducer(ProducerConfig.BATCH_SIZE_CONFIG);
        this.requestBytes = settings.ofProducer(ProducerConfig.MAX_REQUEST_SIZE_CONFIG);
        this.maxPartitions = Math.max(1, settings.ofProducer(ProducerConfig.BUFFER_MEMORY_CONFIG) / batchBytes);
        this.compresses = settings.compresses();
    }

    @Override
    public List<Outcome> publish(List<Envelope> batch, Deadline deadline) {
        var outcomes = new Outcomes(batch);
        if (deadline.hasPassed()) {
            return outcomes.toList();
        }
        var waves = new Waves(parcels(batch, outcomes), batchBytes, maxPartitions);
        new Dispatch(producer, topics, waves, outcomes).run(deadline);
        return outcomes.toList();
    }

    /** What can be sent. What cannot has its outcome here: no such topic, too large. */
    private List<Parcel> parcels(List<Envelope> batch, Outcomes outcomes) {
        Map<String, Topics.Resolved> resolved =
                topics.resolve(batch.stream().map(Envelope::destination).collect(toSet()));
        var parcels = new ArrayList<Parcel>(batch.size());
        for (int i = 0; i < batch.size(); i++) {
            Envelope message = batch.get(i);
            var found = Objects.requireNonNull(resolved.get(message.destination()));
            if (!outcomes.isOpen(i)) {
                continue;
            }
            if (found.topic() == null) {
                outcomes.failed(i, Objects.requireNonNull(found.problem()));
                continue;
            }
            Parcel parcel;
            try {
                parcel = Parcel.of(i, message, format, found.topic(), spread++);
            } catch (RuntimeException | StackOverflowError | LinkageError e) {
                outcomes.failed(i, Outcome.notEncodable(e));
                continue;
            }
            if (parcel.size() > requestBytes || (!compresses && parcel.leastSize() > parcel.limit())) {
                outcomes.failed(i, tooLarge(parcel));
            } else {
                parcels.add(parcel);
            }
        }
        return parcels;
    }

    private Outcome tooLarge(Parcel parcel) {
        return new Outcome.Refused("It has " + parcel.size() + " bytes as a record, and topic '"
                + parcel.message().destination() + "' takes " + Math.min(requestBytes, parcel.limit())
                + ". Raise max.message.bytes of the topic, or max.request.size of the producer, or send less.");
    }

    @Override
    public void shardsTaken() {
        topics.forgetAll();
    }

    @Override
    public void close() {
        producer.close();
    }
}
