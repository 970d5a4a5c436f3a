package io.waybill.kafka;

import io.waybill.Time;
import io.waybill.transport.Outcome;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.config.TopicConfig;
import org.apache.kafka.common.errors.InterruptException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What is known of topics, asked before anything is sent to them: a topic that does not exist would otherwise hold up the
 * producer, and everybody behind it.
 *
 * <p><i>Threads:</i> one.
 */
final class Topics {

    private static final Logger log = LoggerFactory.getLogger(Topics.class);

    /** As often as Kafka's own clients look again. */
    private static final Duration GOOD_FOR = Duration.ofMinutes(5);

    /** The limit of a topic that will not tell: larger than any batch, so that the broker's word decides. */
    private static final int UNKNOWN_LIMIT = Integer.MAX_VALUE;

    private final Supplier<Admin> admin;
    private final String cluster;
    private final Time time;
    private final Map<String, Known> known = new HashMap<>();

    /** @param cluster what to call it in errors */
    Topics(Supplier<Admin> admin, String cluster, Time time) {
        this.admin = admin;
        this.cluster = cluster;
        this.time = time;
    }

    /** The topics of these names, or for each what is in the way. */
    Map<String, Resolved> resolve(Collection<String> names) {
        var resolved = new HashMap<String, Resolved>();
        var unknown = new ArrayList<String>();
        for (String name : names) {
            Known entry = known.get(name);
            if (entry == null || entry.outdated || entry.since.hasReached(GOOD_FOR)) {
                unknown.add(name);
            } else {
                resolved.put(name, new Resolved(entry.topic, null));
            }
        }
        if (!unknown.isEmpty()) {
            resolved.putAll(ask(unknown));
        }
        return resolved;
    }

    /** Asks again the next time: what was known of it turned out wrong. */
    void forget(String name) {
        known.computeIfPresent(name, (none, entry) -> new Known(entry.topic, entry.since, true));
    }

    /**
     * Asks again for all of them. The partition of a key follows from the number of partitions, which only grows: a relay that asks after
     * another one has ended knows at least as many as that one did, so no key goes back to the partition that it had before.
     */
    void forgetAll() {
        List.copyOf(known.keySet()).forEach(this::forget);
    }

    private Map<String, Resolved> ask(List<String> names) {
        var resolved = new HashMap<String, Resolved>();
        try {
            var partitions = new HashMap<String, Integer>();
            admin.get().describeTopics(names).topicNameValues().forEach((name, description) -> {
                try {
                    partitions.put(name, answer(description).partitions().size());
                } catch (KafkaException e) {
                    resolved.put(name, new Resolved(null, Verdicts.ofTopic(name, e, cluster)));
                }
            });
            Map<String, Integer> limits = limits(partitions.keySet());
            partitions.forEach((name, count) -> {
                var topic = Topic.of(name, count, limits.getOrDefault(name, UNKNOWN_LIMIT));
                tellWhenChanged(topic, known.put(name, new Known(topic, time.stopwatch(), false)));
                resolved.put(name, new Resolved(topic, null));
            });
        } catch (KafkaException e) {
            // The client could not even be made: an address that means nothing, a key store that is not there.
            names.forEach(name -> resolved.put(name, new Resolved(null, Verdicts.ofAll(e, cluster))));
        }
        return resolved;
    }

    private void tellWhenChanged(Topic now, @Nullable Known before) {
        if (before != null && before.topic.partitions.size() != now.partitions.size()) {
            log.warn(
                    "WB-204 Topic {} of {} has {} partitions instead of {}, so most keys now go to another partition."
                            + " Their new messages may overtake unread ones in the old partition.",
                    now.name,
                    cluster,
                    now.partitions.size(),
                    before.topic.partitions.size());
        }
    }

    /** The largest batch each topic takes. It needs a right of its own; without it the broker says so when it is too late. */
    private Map<String, Integer> limits(Collection<String> topics) {
        var limits = new HashMap<String, Integer>();
        if (topics.isEmpty()) {
            return limits;
        }
        var resources = topics.stream()
                .map(name -> new ConfigResource(ConfigResource.Type.TOPIC, name))
                .toList();
        admin.get().describeConfigs(resources).values().forEach((resource, config) -> {
            try {
                Config answer = answer(config);
                limits.put(
                        resource.name(),
                        Integer.parseInt(
                                answer.get(TopicConfig.MAX_MESSAGE_BYTES_CONFIG).value()));
            } catch (KafkaException e) {
                limits.put(resource.name(), UNKNOWN_LIMIT);
            }
        });
        return limits;
    }

    private static <T> T answer(KafkaFuture<T> future) {
        try {
            return future.get();
        } catch (ExecutionException e) {
            throw e.getCause() instanceof KafkaException cause ? cause : new KafkaException(e.getCause());
        } catch (InterruptedException e) {
            throw new InterruptException(e);
        }
    }

    /** A topic as far as sending needs to know it. */
    record Topic(String name, List<TopicPartition> partitions, int maxMessageBytes) {

        static Topic of(String name, int partitions, int maxMessageBytes) {
            return new Topic(
                    name,
                    IntStream.range(0, partitions)
                            .mapToObj(partition -> new TopicPartition(name, partition))
                            .toList(),
                    maxMessageBytes);
        }
    }

    /** Either of the two. */
    record Resolved(@Nullable Topic topic, @Nullable Outcome problem) {

        Topic orElseThrow(Function<String, RuntimeException> error) {
            if (topic == null) {
                throw error.apply(Verdicts.reason(problem));
            }
            return topic;
        }
    }

    private record Known(Topic topic, Time.Stopwatch since, boolean outdated) {}
}
