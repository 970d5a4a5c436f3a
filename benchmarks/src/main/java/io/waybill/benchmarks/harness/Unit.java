package io.waybill.benchmarks.harness;

import java.util.Locale;

/** What a figure counts, and how exactly it is worth printing. */
public enum Unit {
    PER_SECOND("/s", 0),
    MILLIS(" ms", 2),
    PERCENT_OF_A_CORE(" % of a core", 2),
    MEGABYTES(" MB", 0),
    RATIO("", 2);

    private final String suffix;
    private final String format;

    Unit(String suffix, int decimals) {
        this.suffix = suffix;
        this.format = "%,." + decimals + "f";
    }

    String print(double value) {
        return number(value) + suffix;
    }

    /** The median, and in which range the rounds were. */
    String print(Samples samples) {
        return samples.values().size() == 1
                ? print(samples.median())
                : print(samples.median()) + " (" + number(samples.min()) + "–" + number(samples.max()) + ")";
    }

    private String number(double value) {
        return String.format(Locale.ROOT, format, value);
    }
}
