package io.waybill.console.rate;

import io.waybill.jdbc.ops.RelayNode;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The numbers of a database at the times when somebody looked, for charts and rates.
 *
 * <p><i>Threads:</i> who looks holds its lock.
 */
public final class History {

    /** Samples that are closer together say nothing more. */
    private static final Duration BETWEEN_SAMPLES = Duration.ofSeconds(5);

    private static final int MAX_SAMPLES = 240;

    private final Deque<Sample> samples = new ArrayDeque<>();
    private final ActivityRates rates = new ActivityRates();
    private @Nullable Double inPerSecond;
    private long unpublished;

    /** Numbers at one time; rates are 0 where they are not known. */
    public record Sample(
            Instant at,
            long oldestSeconds,
            long pending,
            long failed,
            long openProcesses,
            long failedProcesses,
            double inPerSecond,
            double outPerSecond) {}

    /** What relays publish, as of these. */
    public ActivityRates look(List<RelayNode> relays) {
        rates.look(relays);
        return rates;
    }

    /**
     * Adds the numbers of now, unless it is too early.
     *
     * @param unpublished messages that are not published yet, the failed ones among them
     * @param failed messages that could not be published or handled
     */
    public void add(
            Instant now,
            long oldestSeconds,
            long pending,
            long unpublished,
            long failed,
            long openProcesses,
            long failedProcesses) {
        Sample last = samples.peekLast();
        if (last != null && last.at().plus(BETWEEN_SAMPLES).isAfter(now)) {
            return;
        }
        long growth = unpublished - this.unpublished;
        this.unpublished = unpublished;
        inPerSecond = last == null
                ? null
                : rates.total()
                        .map(known -> Math.max(0, known.published() + growth / seconds(last.at(), now)))
                        .orElse(null);
        samples.addLast(new Sample(
                now,
                oldestSeconds,
                pending,
                failed,
                openProcesses,
                failedProcesses,
                in().orElse(0.0),
                out().orElse(0.0)));
        if (samples.size() > MAX_SAMPLES) {
            samples.removeFirst();
        }
    }

    private static double seconds(Instant from, Instant to) {
        return Duration.between(from, to).toMillis() / 1_000.0;
    }

    /** How many messages are appended in a second: those that are published, and those by which there are more. */
    public Optional<Double> in() {
        return Optional.ofNullable(inPerSecond);
    }

    public Optional<Double> out() {
        return rates.total().map(ActivityRates.Rate::published);
    }

    public List<Sample> samples() {
        return List.copyOf(samples);
    }
}
