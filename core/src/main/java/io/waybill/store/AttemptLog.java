package io.waybill.store;

import io.waybill.message.StorableMessage;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What happened to one message, the oldest first: its failed attempts, and what operators did with it. A store keeps it as text of bounded
 * length in the row of the message; the oldest entries are dropped.
 *
 * @param text a line for each entry
 */
public record AttemptLog(String text) {

    /** How many characters a store keeps, the latest ones. */
    public static final int MAX_LENGTH = 4_000;

    /** Of a message that was never refused. */
    public static final AttemptLog NONE = new AttemptLog("");

    private static final int MAX_TEXT = 200;

    /** What a column holds; null is nothing. */
    public static AttemptLog of(@Nullable String text) {
        return text == null || text.isEmpty() ? NONE : new AttemptLog(text);
    }

    /** What an entry is about. */
    public enum Kind {
        /** An attempt failed; the text is the error. */
        FAILED,
        /** An operator changed the message; the text says what and who. */
        OPERATOR;

        private final String mark = name().substring(0, 1);

        /** As people and programs read it. */
        public String word() {
            return this == FAILED ? "failed" : "operator";
        }
    }

    /** A failed attempt, or a change by an operator. */
    public record Entry(Instant at, Kind kind, String text) {

        /** The line of a log, with its end. */
        public String line() {
            String flat = StorableMessage.plain(text).replaceAll("\\p{Cntrl}+", " ");
            int end = flat.offsetByCodePoints(0, Math.min(MAX_TEXT, flat.codePointCount(0, flat.length())));
            return at.truncatedTo(ChronoUnit.MILLIS) + "\t" + kind.mark + "\t" + flat.substring(0, end) + "\n";
        }

        /** The entry of a line; none when the beginning of the line was cut off. */
        private static Optional<Entry> read(String line) {
            String[] parts = line.split("\t", 3);
            if (parts.length < 3) {
                return Optional.empty();
            }
            return Stream.of(Kind.values())
                    .filter(kind -> kind.mark.equals(parts[1]))
                    .map(kind -> time(parts[0]).map(at -> new Entry(at, kind, parts[2])))
                    .flatMap(Optional::stream)
                    .findFirst();
        }

        private static Optional<Instant> time(String text) {
            try {
                return Optional.of(Instant.parse(text));
            } catch (DateTimeParseException e) {
                return Optional.empty();
            }
        }
    }

    /** A line for a failed attempt. */
    public static String failed(Instant at, String error) {
        return new Entry(at, Kind.FAILED, error).line();
    }

    /** A line for a change by an operator; nothing when there is nothing to say. */
    public static String changed(Instant at, String what) {
        return what.isEmpty() ? "" : new Entry(at, Kind.OPERATOR, what).line();
    }

    /** With more lines at its end, for stores that do not ask a database. */
    public AttemptLog plus(String lines) {
        String all = text + lines;
        return lines.isEmpty() ? this : new AttemptLog(all.substring(Math.max(0, all.length() - MAX_LENGTH)));
    }

    /** The entries, the oldest first, without a first line that was cut off. */
    public List<Entry> entries() {
        return text.lines().map(Entry::read).flatMap(Optional::stream).toList();
    }
}
