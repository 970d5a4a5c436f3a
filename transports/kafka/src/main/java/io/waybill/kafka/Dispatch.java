package io.waybill.kafka;

import static java.util.stream.Collectors.counting;
import static java.util.stream.Collectors.groupingBy;

import io.waybill.kafka.OrderedProducer.Answers;
import io.waybill.transport.Deadline;
import io.waybill.transport.Outcome;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.errors.TopicAuthorizationException;

/** The dispatch of one batch: wave after wave, until every message has its outcome or the deadline has passed. */
final class Dispatch {

    private final OrderedProducer producer;
    private final Topics topics;
    private final Waves waves;
    private final Outcomes outcomes;

    Dispatch(OrderedProducer producer, Topics topics, Waves waves, Outcomes outcomes) {
        this.producer = producer;
        this.topics = topics;
        this.waves = waves;
        this.outcomes = outcomes;
    }

    void run(Deadline deadline) {
        while (!waves.isEmpty() && !deadline.hasPassed()) {
            List<Parcel> wave = waves.next();
            Answers answers = producer.send(wave, deadline);
            boolean moved = settle(wave, answers);
            waves.remove(parcel -> !outcomes.isOpen(parcel.index()));
            if (!moved && !deadline.hasPassed()) {
                fail(parcel -> true, new Outcome.Unavailable(Verdicts.text(answers.anyError())));
            }
        }
    }

    /** Whether it brought anything to an end, or nearer to it. */
    private boolean settle(List<Parcel> wave, Answers answers) {
        if (answers.whole() != null) {
            fail(parcel -> true, Verdicts.ofAll(answers.whole(), producer.toString()));
            return true;
        }
        var failures = new IdentityHashMap<Exception, List<Parcel>>();
        for (int i = 0; i < wave.size(); i++) {
            Exception error = answers.each()[i];
            if (error == null) {
                outcomes.accepted(wave.get(i).index());
            } else {
                failures.computeIfAbsent(error, none -> new ArrayList<>()).add(wave.get(i));
            }
        }
        if (failures.isEmpty()) {
            waves.trust(wave);
            return true;
        }
        Map<TopicPartition, Long> sizes = wave.stream().collect(groupingBy(Parcel::partition, counting()));
        boolean moved = false;
        for (var failure : failures.entrySet()) {
            moved |= settle(failure.getKey(), failure.getValue(), sizes);
        }
        return moved || wave.stream().anyMatch(parcel -> !outcomes.isOpen(parcel.index()));
    }

    private boolean settle(Exception error, List<Parcel> concerned, Map<TopicPartition, Long> wave) {
        Outcome verdict = Verdicts.ofMessage(concerned.get(0).partition().topic(), error);
        if (verdict instanceof Outcome.NotAttempted) {
            return false;
        }
        for (Parcel parcel : concerned) {
            TopicPartition partition = parcel.partition();
            if (verdict instanceof Outcome.Unavailable) {
                topics.forget(partition.topic());
                fail(other -> other.partition().equals(partition), verdict);
            } else if (verdict instanceof Outcome.Misconfigured && isOfTopic(error, partition.topic(), wave)) {
                topics.forget(partition.topic());
                fail(other -> other.partition().topic().equals(partition.topic()), verdict);
            } else if (verdict instanceof Outcome.Refused && isOfOne(concerned, wave)) {
                if (error instanceof RecordTooLargeException) {
                    topics.forget(partition.topic());
                }
                outcomes.failed(parcel.index(), verdict);
            } else {
                waves.doubt(partition, wave.getOrDefault(partition, 1L).intValue());
            }
        }
        return true;
    }

    /** A transaction that fails takes others down with the same error: it is theirs only if it says so, or nobody else was there. */
    private static boolean isOfTopic(Exception error, String topic, Map<TopicPartition, Long> wave) {
        return wave.size() == 1
                || (error instanceof TopicAuthorizationException denied
                        && denied.unauthorizedTopics().contains(topic));
    }

    /** Kafka gives a record that it refuses an error of its own; one error for many says nothing about any of them. */
    private static boolean isOfOne(List<Parcel> concerned, Map<TopicPartition, Long> wave) {
        long beside = wave.getOrDefault(concerned.get(0).partition(), 1L);
        return concerned.size() == 1 && (beside > 1 || wave.size() == 1);
    }

    private void fail(Predicate<Parcel> which, Outcome outcome) {
        waves.waiting().stream()
                .filter(which)
                .filter(parcel -> outcomes.isOpen(parcel.index()))
                .forEach(parcel -> outcomes.failed(parcel.index(), outcome));
        waves.remove(which);
    }
}
