package io.waybill.benchmarks;

import java.text.DecimalFormat;
import java.text.DecimalFormatSymbols;
import java.util.Locale;
import java.util.function.DoublePredicate;

/** What a figure should be. */
record Target(String text, DoublePredicate isMet) {

    /** Only for information. */
    static final Target NONE = new Target("", figure -> true);

    static Target atLeast(double least) {
        return new Target("≥ " + number(least), figure -> figure >= least);
    }

    static Target atMost(double most) {
        return new Target("≤ " + number(most), figure -> figure <= most);
    }

    String verdict(double figure) {
        if (text.isEmpty()) {
            return "";
        }
        return isMet.test(figure) ? "yes" : "NO";
    }

    private static String number(double value) {
        return new DecimalFormat("0.##", DecimalFormatSymbols.getInstance(Locale.ROOT)).format(value);
    }
}
