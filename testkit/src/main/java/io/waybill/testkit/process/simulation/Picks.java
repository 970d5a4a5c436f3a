package io.waybill.testkit.process.simulation;

import static java.util.stream.Collectors.joining;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/** The decisions of one simulated run: given ones first, then the usual thing, or anything at random. Together they are the run. */
final class Picks {

    /** One decision: which of how many, and whether it is a disturbance. */
    record Pick(int chosen, int options, boolean isPath) {}

    private static final String OPERATORS = "operators.";

    private final List<Integer> given;
    private final boolean withOperators;
    private final @Nullable Random random;
    private final List<Pick> made = new ArrayList<>();

    private Picks(List<Integer> given, @Nullable Random random, boolean withOperators) {
        this.given = given;
        this.withOperators = withOperators;
        this.random = random;
    }

    static Picks of(List<Integer> given) {
        return new Picks(given, null, false);
    }

    /** Every second of them with operators. */
    static Picks random(long seed) {
        return new Picks(List.of(), new Random(seed), seed % 2 == 0);
    }

    /** Whether operators act in this run. */
    boolean withOperators() {
        return withOperators;
    }

    /** What {@link #toString} has written. */
    static Picks parse(String text) {
        String numbers = text.startsWith(OPERATORS) ? text.substring(OPERATORS.length()) : text;
        List<Integer> given = numbers.isBlank()
                ? List.of()
                : Arrays.stream(numbers.split("\\.", -1)).map(Integer::valueOf).toList();
        return new Picks(given, null, text.startsWith(OPERATORS));
    }

    /** Which way a condition goes. */
    boolean path() {
        int chosen = made.size() < given.size() ? given.get(made.size()) : random == null ? 0 : random.nextInt(2);
        made.add(new Pick(chosen, 2, true));
        return chosen == 0;
    }

    /** Which of these things happens; the first one is the usual. */
    int happens(int options) {
        int chosen = 0;
        if (made.size() < given.size()) {
            chosen = Math.min(given.get(made.size()), options - 1);
        } else if (random != null && random.nextInt(4) == 0) {
            chosen = random.nextInt(options);
        }
        made.add(new Pick(chosen, options, false));
        return chosen;
    }

    /** Runs that begin like this one and then do something else for once. */
    List<List<Integer>> variations() {
        var variations = new ArrayList<List<Integer>>();
        for (int at = given.size(); at < made.size(); at++) {
            for (int other = 0; other < made.get(at).options(); other++) {
                if (other != made.get(at).chosen()) {
                    var picks = new ArrayList<Integer>();
                    made.subList(0, at).forEach(pick -> picks.add(pick.chosen()));
                    picks.add(other);
                    variations.add(picks);
                }
            }
        }
        return variations;
    }

    /** How often something else than the usual happened. */
    int disturbances() {
        return (int) made.stream()
                .filter(pick -> !pick.isPath() && pick.chosen() != 0)
                .count();
    }

    @Override
    public String toString() {
        int end = made.size();
        while (end > 0 && made.get(end - 1).chosen() == 0) {
            end--;
        }
        return (withOperators ? OPERATORS : "")
                + made.subList(0, end).stream()
                        .map(pick -> String.valueOf(pick.chosen()))
                        .collect(joining("."));
    }
}
