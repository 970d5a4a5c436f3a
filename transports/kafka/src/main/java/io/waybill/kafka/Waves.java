package io.waybill.kafka;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.apache.kafka.common.TopicPartition;

/**
 * Divides what waits into waves. A wave has at most one of the producer's batches for each partition, and the next one begins
 * when the broker has answered for all of it: so nothing is under way behind a batch that fails, and its partition has a prefix.
 *
 * <p>A partition of which a batch was refused without a word about the record is under suspicion. It waits until the others
 * are through and then goes alone, in smaller and smaller waves, until the record is found.
 */
final class Waves {

    /** Batches may be filled so far that no estimate of the producer's calls them full, which would send them early. */
    private static final double FILLED = 0.9;

    private final int batchBytes;
    private final int maxPartitions;
    private List<Parcel> waiting;
    private final Map<TopicPartition, Integer> doubtful = new LinkedHashMap<>();

    /**
     * @param batchBytes how large the producer's batches may be
     * @param maxPartitions how many such batches its memory has room for
     */
    Waves(List<Parcel> waiting, int batchBytes, int maxPartitions) {
        this.waiting = waiting;
        this.batchBytes = batchBytes;
        this.maxPartitions = maxPartitions;
    }

    boolean isEmpty() {
        return waiting.isEmpty();
    }

    List<Parcel> waiting() {
        return waiting;
    }

    List<Parcel> next() {
        List<Parcel> clean = take(partition -> !doubtful.containsKey(partition), Integer.MAX_VALUE);
        if (!clean.isEmpty()) {
            return clean;
        }
        TopicPartition alone = waiting.get(0).partition();
        return take(alone::equals, doubtful.getOrDefault(alone, 1));
    }

    /** Of so many parcels of this partition one is bad, and nobody says which. */
    void doubt(TopicPartition partition, int parcels) {
        doubtful.put(partition, Math.max(1, parcels / 2));
    }

    /** This wave went through; if it was of a partition under suspicion, its next one may be larger. */
    void trust(List<Parcel> wave) {
        doubtful.computeIfPresent(wave.get(0).partition(), (doubt, most) -> Math.max(most, 2 * wave.size()));
    }

    void remove(Predicate<Parcel> done) {
        waiting = waiting.stream().filter(done.negate()).toList();
    }

    private List<Parcel> take(Predicate<TopicPartition> candidates, int most) {
        var wave = new ArrayList<Parcel>(waiting.size());
        Map<TopicPartition, Room> rooms = new HashMap<>();
        for (Parcel parcel : waiting) {
            if (!candidates.test(parcel.partition())) {
                continue;
            }
            int room = (int) (FILLED * Math.min(batchBytes, parcel.limit()));
            if (parcel.size() > room && wave.isEmpty()) {
                return List.of(parcel);
            }
            if (rooms.size() == maxPartitions && !rooms.containsKey(parcel.partition())) {
                continue;
            }
            if (rooms.computeIfAbsent(parcel.partition(), none -> new Room(room, most))
                    .takes(parcel)) {
                wave.add(parcel);
            }
        }
        return wave;
    }

    /** What is left of a partition's batch. The first parcel that does not fit closes it: nothing may overtake that one. */
    private static final class Room {
        private int bytes;
        private int parcels;
        private boolean open = true;

        Room(int bytes, int parcels) {
            this.bytes = bytes;
            this.parcels = parcels;
        }

        boolean takes(Parcel parcel) {
            bytes -= parcel.size();
            open = open && bytes >= 0 && parcels-- > 0;
            return open;
        }
    }
}
