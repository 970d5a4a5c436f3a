package io.waybill.benchmarks.drain;

import io.waybill.benchmarks.workload.Workload;
import java.util.BitSet;
import java.util.HashSet;
import java.util.Random;
import java.util.Set;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;

/**
 * Which messages of a workload are refused: the same ones in every round.
 *
 * @param refused the numbers of those messages
 */
public record Poison(Workload workload, int messages, BitSet refused) {

    private static final long SEED = 20_261;

    /** Every message with this probability. */
    public static Poison among(Workload workload, int messages, double share) {
        var random = new Random(SEED);
        var refused = new BitSet(messages);
        IntStream.range(0, messages)
                .filter(number -> random.nextDouble() < share)
                .forEach(refused::set);
        return new Poison(workload, messages, refused);
    }

    public BitSet everyMessage() {
        return those(number -> true);
    }

    public BitSet everyOtherMessage() {
        return those(number -> !refused.get(number));
    }

    /** Messages of keys that nothing is wrong with. */
    public BitSet everyMessageOfOtherKeys() {
        Set<String> bad = new HashSet<>();
        refused.stream().forEach(number -> bad.add(workload.key(number)));
        return those(number -> !bad.contains(workload.key(number)));
    }

    /** Messages that come before the first refused one of their key: what may be sent when that one parks its key. */
    public BitSet everyMessageAhead() {
        Set<String> stopped = new HashSet<>();
        return those(number -> {
            if (refused.get(number)) {
                stopped.add(workload.key(number));
            }
            return !stopped.contains(workload.key(number));
        });
    }

    private BitSet those(IntPredicate wanted) {
        var numbers = new BitSet(messages);
        IntStream.range(0, messages).filter(wanted).forEach(numbers::set);
        return numbers;
    }
}
