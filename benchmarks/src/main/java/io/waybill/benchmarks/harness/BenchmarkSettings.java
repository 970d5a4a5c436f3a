package io.waybill.benchmarks.harness;

import java.time.Duration;

/**
 * How much is measured.
 *
 * @param messages how many messages wait when a drain begins
 * @param warmUp how many rounds come before those that count: ours is more code than a loop written by hand, and is compiled later
 * @param rounds how often each variant is measured
 * @param duration how long a latency or an idle loop is watched, each time
 * @param fsync whether the server's commits wait for the disk
 * @param large also with two million messages, where a benchmark has something to say about that
 */
public record BenchmarkSettings(int messages, int warmUp, int rounds, Duration duration, boolean fsync, boolean large) {

    /** What "large" means. */
    public static final int LARGE = 2_000_000;

    public BenchmarkSettings {
        require("--messages", messages);
        require("--rounds", rounds);
    }

    private static void require(String option, int value) {
        if (value < 1) {
            throw new IllegalArgumentException(option + " (" + value + ") must be at least 1.");
        }
    }
}
