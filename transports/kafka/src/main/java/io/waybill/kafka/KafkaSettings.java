package io.waybill.kafka;

import io.waybill.WaybillException;
import io.waybill.transport.SubscriptionOptions;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.apache.kafka.clients.CommonClientConfigs;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.CooperativeStickyAssignor;
import org.apache.kafka.clients.producer.ProducerConfig;

/**
 * The user's settings of Kafka's clients. Below them are our defaults, above them what promises stand on.
 *
 * @param common for every client that knows them
 */
record KafkaSettings(Map<String, String> common, Map<String, String> producer, Map<String, String> consumer) {

    /**
     * How long a batch may grow. What is sent is said by a flush and never by this time, so it is much longer than it takes to
     * fill one.
     */
    static final int LINGER_MILLIS = 5_000;

    /** What the order of a key stands on. */
    private static final Map<String, String> OF_PRODUCER = Map.of(
            ProducerConfig.ACKS_CONFIG, "all",
            ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG, "true",
            ProducerConfig.MAX_IN_FLIGHT_REQUESTS_PER_CONNECTION, "1",
            ProducerConfig.LINGER_MS_CONFIG, Integer.toString(LINGER_MILLIS));

    private static final Map<String, String> OF_CONSUMER = Map.of(
            ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, "false", ConsumerConfig.ALLOW_AUTO_CREATE_TOPICS_CONFIG, "false");

    private static final Map<String, String> DEFAULTS = Map.of(
            CommonClientConfigs.RECONNECT_BACKOFF_MAX_MS_CONFIG, "500",
            CommonClientConfigs.SOCKET_CONNECTION_SETUP_TIMEOUT_MS_CONFIG, "3000");

    private static final Map<String, String> DEFAULTS_OF_PRODUCER = Map.of(
            ProducerConfig.BATCH_SIZE_CONFIG,
            Integer.toString(512 * 1024),
            ProducerConfig.BUFFER_MEMORY_CONFIG,
            Integer.toString(64 * 1024 * 1024),
            ProducerConfig.MAX_REQUEST_SIZE_CONFIG,
            Integer.toString(16 * 1024 * 1024),
            ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG,
            "10000",
            ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG,
            "20000",
            ProducerConfig.MAX_BLOCK_MS_CONFIG,
            "10000");

    private static final Map<String, String> DEFAULTS_OF_CONSUMER = Map.of(
            ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "earliest",
            ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_committed",
            ConsumerConfig.PARTITION_ASSIGNMENT_STRATEGY_CONFIG, CooperativeStickyAssignor.class.getName());

    private static final Map<String, String> DEFAULTS_OF_ADMIN = Map.of(
            AdminClientConfig.REQUEST_TIMEOUT_MS_CONFIG, "5000",
            AdminClientConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, "5000");

    private static final Set<String> DECIDED_ELSEWHERE = Set.of(
            ProducerConfig.TRANSACTIONAL_ID_CONFIG,
            ProducerConfig.KEY_SERIALIZER_CLASS_CONFIG,
            ProducerConfig.VALUE_SERIALIZER_CLASS_CONFIG,
            ProducerConfig.PARTITIONER_CLASS_CONFIG,
            ConsumerConfig.GROUP_ID_CONFIG,
            ConsumerConfig.MAX_POLL_RECORDS_CONFIG,
            ConsumerConfig.KEY_DESERIALIZER_CLASS_CONFIG,
            ConsumerConfig.VALUE_DESERIALIZER_CLASS_CONFIG);

    KafkaSettings {
        common = Map.copyOf(common);
        producer = Map.copyOf(producer);
        consumer = Map.copyOf(consumer);
    }

    static KafkaSettings of(String bootstrapServers) {
        return new KafkaSettings(
                Map.of(CommonClientConfigs.BOOTSTRAP_SERVERS_CONFIG, bootstrapServers), Map.of(), Map.of());
    }

    KafkaSettings with(Map<String, String> more) {
        return new KafkaSettings(merged(common, allowed(more)), producer, consumer);
    }

    KafkaSettings withProducer(Map<String, String> more) {
        return new KafkaSettings(common, merged(producer, allowed(more)), consumer);
    }

    KafkaSettings withConsumer(Map<String, String> more) {
        return new KafkaSettings(common, producer, merged(consumer, allowed(more)));
    }

    /** For a producer with a transactional id, or without one when it is empty. */
    Map<String, Object> producer(String transactionalId) {
        Map<String, Object> all = all(DEFAULTS_OF_PRODUCER, ProducerConfig.configNames(), producer, OF_PRODUCER);
        if (!transactionalId.isEmpty()) {
            all.put(ProducerConfig.TRANSACTIONAL_ID_CONFIG, transactionalId);
        }
        return all;
    }

    Map<String, Object> consumer(SubscriptionOptions options) {
        Map<String, Object> all = all(DEFAULTS_OF_CONSUMER, ConsumerConfig.configNames(), consumer, OF_CONSUMER);
        all.put(ConsumerConfig.GROUP_ID_CONFIG, options.group());
        all.put(ConsumerConfig.MAX_POLL_RECORDS_CONFIG, options.batchSize());
        return all;
    }

    Map<String, Object> admin() {
        return all(DEFAULTS_OF_ADMIN, AdminClientConfig.configNames(), Map.of(), Map.of());
    }

    int ofProducer(String name) {
        return Integer.parseInt(Objects.requireNonNull(producer("").get(name)).toString());
    }

    boolean compresses() {
        return !"none".equals(producer("").getOrDefault(ProducerConfig.COMPRESSION_TYPE_CONFIG, "none"));
    }

    static long maxPollInterval(Map<String, Object> consumer) {
        return Long.parseLong(consumer.getOrDefault(ConsumerConfig.MAX_POLL_INTERVAL_MS_CONFIG, "300000")
                .toString());
    }

    /** Where the cluster is, and nothing that could be a secret. */
    @Override
    public String toString() {
        return "kafka://" + common.get(CommonClientConfigs.BOOTSTRAP_SERVERS_CONFIG);
    }

    /** Each goes over those before it. What is meant for all clients goes only to those that know it. */
    private Map<String, Object> all(
            Map<String, String> defaults, Set<String> known, Map<String, String> own, Map<String, String> kept) {
        var all = new HashMap<String, Object>(DEFAULTS);
        all.putAll(defaults);
        common.forEach((name, value) -> {
            if (known.contains(name) || !isKnown(name)) {
                all.put(name, value);
            }
        });
        all.putAll(own);
        all.putAll(kept);
        return all;
    }

    static boolean isKnown(String name) {
        return ProducerConfig.configNames().contains(name)
                || ConsumerConfig.configNames().contains(name)
                || AdminClientConfig.configNames().contains(name);
    }

    private static Map<String, String> allowed(Map<String, String> settings) {
        var ours = new TreeSet<>(settings.keySet());
        ours.removeIf(name ->
                !OF_PRODUCER.containsKey(name) && !OF_CONSUMER.containsKey(name) && !DECIDED_ELSEWHERE.contains(name));
        if (!ours.isEmpty()) {
            throw new WaybillException("Waybill sets " + String.join(", ", ours)
                    + " of Kafka's clients: order and acknowledgement depend on it. Remove this setting.");
        }
        return settings;
    }

    private static Map<String, String> merged(Map<String, String> before, Map<String, String> more) {
        var merged = new HashMap<>(before);
        merged.putAll(more);
        return merged;
    }
}
