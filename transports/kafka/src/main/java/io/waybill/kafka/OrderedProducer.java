package io.waybill.kafka;

import io.waybill.Time;
import io.waybill.transport.Deadline;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.apache.kafka.clients.producer.Callback;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Kafka's producer, for one wave at a time. With transactional ids each wave is a transaction; fencing them makes the
 * broker refuse what is under way. When a wave cannot be brought to an end, its producer is replaced by a new one.
 *
 * <p>There is a producer for each id, and they take turns: a transaction is decided when its commit has returned, but for some
 * milliseconds after that the broker is still writing it down and lets its id begin no other. What the next one sends lies
 * behind it in every partition, so the order is the same as with one.
 *
 * <p><i>Threads:</i> one.
 */
final class OrderedProducer implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(OrderedProducer.class);

    /** A wave that takes longer to fill may have been sent in part by the producer's own clock. */
    private static final Duration MAX_FILL = Duration.ofMillis(KafkaSettings.LINGER_MILLIS / 2);

    private static final Duration CLOSING = Duration.ofSeconds(5);

    private static final int TURNS = 2;

    private final KafkaSettings settings;
    private final List<String> transactionalIds;
    private final Time time;
    private final List<Producer<byte[], byte[]>> producers = new ArrayList<>();
    private long waves;
    private boolean closed;

    private OrderedProducer(KafkaSettings settings, List<String> transactionalIds, Time time) {
        this.settings = settings;
        this.transactionalIds = transactionalIds;
        this.time = time;
    }

    static OrderedProducer ofRelay(String relay, KafkaSettings settings, Time time) {
        var ids = Stream.generate(() -> TransactionalIds.take(relay)).limit(TURNS);
        return new OrderedProducer(settings, ids.toList(), time);
    }

    /** Without transactions: nobody can fence it. */
    static OrderedProducer unfenced(KafkaSettings settings, Time time) {
        return new OrderedProducer(settings, List.of(), time);
    }

    /** Sends the wave, which has at most one batch for each partition, and waits for the broker's word. */
    Answers send(List<Parcel> wave, Deadline deadline) {
        Flight flight = null;
        try {
            flight = new Flight(next(), wave.size());
            flight.fill(wave);
            // Asked after the producer was made: one that is made after a fence could send again.
            if (deadline.hasPassed() || !flight.mayGo()) {
                return flight.answers();
            }
            waves++;
            flight.go();
            complete(flight, deadline);
            return flight.answers();
        } catch (KafkaException | IllegalStateException e) {
            return flight != null && flight.broken ? flight.answers() : Answers.failed(wave.size(), e);
        } finally {
            if (flight == null || !flight.landed) {
                discard();
            }
        }
    }

    /** Where it sends to. */
    @Override
    public String toString() {
        return settings.toString();
    }

    /** How many waves have gone out. */
    long waves() {
        return waves;
    }

    private void complete(Flight flight, Deadline deadline) {
        if (flight.broken) {
            return;
        }
        if (!isTransactional()) {
            flight.counts = true;
        } else if (flight.hasFailures() || deadline.hasPassed()) {
            flight.producer.abortTransaction();
        } else {
            flight.producer.commitTransaction();
            flight.counts = true;
        }
        flight.landed = true;
    }

    private boolean isTransactional() {
        return !transactionalIds.isEmpty();
    }

    /**
     * Whose turn it is. All of them are made before any of them sends: an id that the broker does not know yet could not be
     * fenced.
     */
    private Producer<byte[], byte[]> next() {
        if (producers.isEmpty()) {
            (isTransactional() ? transactionalIds : List.of("")).forEach(this::connect);
        }
        return producers.get((int) (waves % producers.size()));
    }

    private void connect(String id) {
        var producer = new KafkaProducer<>(settings.producer(id), new ByteArraySerializer(), new ByteArraySerializer());
        producers.add(producer);
        if (!id.isEmpty()) {
            producer.initTransactions();
        }
    }

    /** By force: what was not sent yet is never sent. */
    private void discard() {
        close(Duration.ZERO);
    }

    @Override
    public void close() {
        close(CLOSING);
        if (!closed) {
            transactionalIds.forEach(TransactionalIds::release);
        }
        closed = true;
    }

    private void close(Duration patience) {
        for (Producer<byte[], byte[]> producer : producers) {
            try {
                producer.close(patience);
            } catch (KafkaException e) {
                log.debug("The producer did not close properly.", e);
            }
        }
        producers.clear();
    }

    /** One wave on its way. */
    private final class Flight {
        private final Producer<byte[], byte[]> producer;
        private final @Nullable Exception[] errors;
        private final Exception notSent = new NotSent();
        private final Time.Stopwatch filling = time.stopwatch();
        private volatile boolean gone;
        private volatile boolean broken;
        private boolean counts;
        private boolean landed;

        Flight(Producer<byte[], byte[]> producer, int size) {
            this.producer = producer;
            this.errors = new Exception[size];
            Arrays.fill(errors, notSent);
        }

        /** Nothing leaves yet: the producer waits for a flush. The outcome of a record is passed to its callback. */
        @SuppressWarnings("FutureReturnValueIgnored")
        void fill(List<Parcel> wave) {
            if (isTransactional()) {
                producer.beginTransaction();
            }
            for (int i = 0; i < wave.size() && !broken; i++) {
                producer.send(wave.get(i).record(), answer(i));
            }
        }

        boolean mayGo() {
            return !broken && !filling.mayHaveReached(MAX_FILL);
        }

        void go() {
            gone = true;
            producer.flush();
        }

        boolean hasFailures() {
            return Arrays.stream(errors).anyMatch(Objects::nonNull);
        }

        /**
         * Called on the producer's own thread, before it sends anything more. A failure while the wave is being filled, or of a
         * batch that the producer may have divided because it was too large, can have something of its partition behind it:
         * then nothing more may leave this producer.
         */
        private Callback answer(int index) {
            return (metadata, error) -> {
                errors[index] = error;
                if (error != null && !broken && (!gone || mayHaveBeenDivided(error))) {
                    broken = true;
                    producer.close(Duration.ZERO);
                }
            };
        }

        private boolean mayHaveBeenDivided(Exception error) {
            return error instanceof RecordTooLargeException && errors.length > 1;
        }

        /** What is in a transaction that did not complete is not there, whatever was said of it before. */
        Answers answers() {
            if (isTransactional() && !counts) {
                Arrays.setAll(errors, i -> errors[i] == null ? notSent : errors[i]);
            }
            return new Answers(null, errors);
        }
    }

    /**
     * What the broker said.
     *
     * @param whole why nothing can be said of any message, if so
     * @param each for each parcel of the wave why it is not there; nothing when it is
     */
    @SuppressWarnings("ArrayRecordComponent")
    record Answers(@Nullable Exception whole, @Nullable Exception[] each) {

        static Answers failed(int size, Exception whole) {
            var each = new Exception[size];
            Arrays.fill(each, new NotSent());
            return new Answers(whole, each);
        }

        /** A reason why not everything is there. */
        Exception anyError() {
            return Arrays.stream(each)
                    .filter(error -> error != null && !(error instanceof NotSent))
                    .findFirst()
                    .orElseGet(NotSent::new);
        }
    }

    /** Stands for a parcel that was held back, or taken back with its wave. */
    private static final class NotSent extends KafkaException {
        NotSent() {
            super("It was not sent: the process stood still for a while, or its wave was taken back.");
        }
    }
}
