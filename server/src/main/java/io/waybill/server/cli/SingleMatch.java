package io.waybill.server.cli;

import io.waybill.WaybillException;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;

/** The one thing that somebody means by its id, the beginning of its id, or its key. */
public final class SingleMatch {

    /** How many are looked for: one more than are listed. */
    public static final int MAX_CANDIDATES = 21;

    private SingleMatch() {}

    /**
     * The only one that was found.
     *
     * @param what it is, as in {@code process}
     * @param label what tells one candidate from another
     * @param listCommand where all of them are shown
     * @throws WaybillException that lists the candidates, or says that there are none
     */
    public static <T> T of(String what, String text, List<T> found, Function<T, String> label, String listCommand) {
        if (found.size() == 1) {
            return found.get(0);
        }
        if (found.isEmpty()) {
            throw new WaybillException("There is no " + what + " " + text
                    + ", and none whose id begins so or whose key it is." + " Look for it with '" + listCommand
                    + "'; it may have been removed after it was finished.");
        }
        boolean more = found.size() == MAX_CANDIDATES;
        String candidates = found.stream()
                .limit(MAX_CANDIDATES - 1L)
                .map(one -> "\n  " + label.apply(one))
                .collect(Collectors.joining());
        throw new WaybillException("'" + text + "' can be " + (more ? "one of many" : "one of " + found.size())
                + "; give more of the id:" + candidates + (more ? "\n  ..." : ""));
    }
}
