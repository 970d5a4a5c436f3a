package io.waybill.observe;

import io.waybill.store.outbox.PausedDestination;
import java.time.Instant;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Something that waits, or some of a kind that wait for the same.
 *
 * @param name of what waits; with the kind it tells one entry from another
 * @param count how many
 * @param since when the one that has waited longest began to; null when nothing tells
 * @param unusual whether somebody should look: it waits for longer than it should, or for a person
 * @param why what it waits for
 * @param endedBy what ends it
 * @param code of the line that the log has about it once it is unusual
 */
public record WaitingItem(
        Kind kind,
        String name,
        long count,
        @Nullable Instant since,
        boolean unusual,
        String why,
        String endedBy,
        String code) {

    /** What the log says of anything that has no line of its own. */
    public static final String CODE = "WB-126";

    /** What can wait. */
    public enum Kind {
        /** Messages that were refused, until they are tried again or for good. */
        MESSAGE,
        /** Keys behind a message of theirs that was refused. */
        KEY,
        /** Destinations for which messages lie. */
        DESTINATION,
        /** Shards that nobody serves. */
        SHARD,
        /** Handlers that do not come to their end, or that could not handle something. */
        HANDLER,
        /** Commands without a reply. */
        REPLY,
        /** Steps of processes. */
        STEP,
        /** Steps that are processes themselves. */
        CHILD,
        /** What is to happen at a time. */
        TIMER,
        /** What an operator began. */
        OPERATION;

        /** As people and metrics read it. */
        public String word() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** One that the log tells with the common line. */
    public static WaitingItem of(
            Kind kind, String name, long count, @Nullable Instant since, boolean unusual, String why, String endedBy) {
        return new WaitingItem(kind, name, count, since, unusual, why, endedBy, CODE);
    }

    /** A paused destination, for which so many messages wait: it waits for a person. */
    public static WaitingItem of(PausedDestination paused, long count) {
        return new WaitingItem(
                Kind.DESTINATION,
                paused.destination(),
                count,
                paused.since(),
                true,
                paused.why(),
                "it is resumed: waybill outbox resume " + paused.destination(),
                "WB-140");
    }

    public Optional<Instant> begun() {
        return Optional.ofNullable(since);
    }

    /** Whether both are about the same thing. */
    public boolean isAbout(WaitingItem other) {
        return kind == other.kind && name.equals(other.name);
    }

    /** In a sentence or two. */
    public String text() {
        return kind.word() + " " + name + (since == null ? "" : " since " + since) + ": " + why.replaceFirst("\\.$", "")
                + ". Ends when " + endedBy + ".";
    }
}
