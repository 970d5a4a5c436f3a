package io.waybill.benchmarks.harness;

import java.util.List;

/** One question about speed, and how it is answered. */
public interface Benchmark {

    /** Its name on the command line. */
    String name();

    /** What it asks, in one line. */
    String question();

    /** How the figures came about. */
    default String procedure(BenchmarkSettings settings) {
        return "median of " + settings.rounds() + " interleaved rounds after " + settings.warmUp()
                + " to warm up, in brackets the range;" + " a ratio is taken round by round";
    }

    List<Line> measure(Lab lab) throws Exception;
}
