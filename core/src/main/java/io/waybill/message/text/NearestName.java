package io.waybill.message.text;

import java.util.Collection;
import java.util.Comparator;
import java.util.Optional;

/** Finds what somebody may have meant who wrote a name that nobody knows. */
public final class NearestName {

    private NearestName() {}

    /** The known name that differs least, if it differs by no more than a quarter of its characters, and two of a short one. */
    public static Optional<String> to(String name, Collection<String> known) {
        return known.stream()
                .map(one -> filledIn(one, name))
                .filter(one -> !one.equals(name))
                .filter(one -> distance(one, name) <= Math.max(2, name.length() / 4))
                .min(Comparator.<String>comparingInt(one -> distance(one, name)).thenComparing(one -> one));
    }

    /** A pattern with the parts of the name where anything may stand. */
    private static String filledIn(String pattern, String name) {
        String[] parts = pattern.split("\\.", -1);
        String[] own = name.split("\\.", -1);
        if (parts.length == own.length && !pattern.contains("**")) {
            for (int i = 0; i < parts.length; i++) {
                parts[i] = parts[i].equals("*") ? own[i] : parts[i];
            }
        }
        return String.join(".", parts);
    }

    /** How many characters have to be changed, added or left out. Upper and lower case differ by nothing. */
    private static int distance(String one, String other) {
        int[] row = new int[other.length() + 1];
        for (int j = 0; j <= other.length(); j++) {
            row[j] = j;
        }
        for (int i = 1; i <= one.length(); i++) {
            int diagonal = row[0];
            row[0] = i;
            for (int j = 1; j <= other.length(); j++) {
                boolean same = Character.toLowerCase(one.charAt(i - 1)) == Character.toLowerCase(other.charAt(j - 1));
                int replaced = diagonal + (same ? 0 : 1);
                diagonal = row[j];
                row[j] = Math.min(replaced, Math.min(row[j], row[j - 1]) + 1);
            }
        }
        return row[other.length()];
    }
}
