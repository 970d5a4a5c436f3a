package io.waybill.benchmarks.harness;

import java.text.DecimalFormat;
import java.text.DecimalFormatSymbols;
import java.util.Locale;
import java.util.function.DoublePredicate;

/** What a figure should be. */
public record Goal(String text, DoublePredicate isMet) {

    /** Only for information. */
    public static final Goal NONE = new Goal("", figure -> true);

    public static Goal atLeast(double least) {
        return new Goal("≥ " + number(least), figure -> figure >= least);
    }

    public static Goal atMost(double most) {
        return new Goal("≤ " + number(most), figure -> figure <= most);
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
