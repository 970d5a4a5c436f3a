package io.waybill.jdbc.layout.table;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.zone.ZoneOffsetTransition;
import java.util.Locale;
import java.util.Optional;

/**
 * Times of an application that writes its own local time without saying so. The zone's rules come from here, because a database may not
 * know them; what time it is, from the database.
 *
 * <p>When clocks are put back, an hour comes twice, and its times do not tell which of the two they are of. Until it is over for the
 * second time, a time that is written, or compared with what is due, does not go back; and a claim counts as the younger of what it may be.
 * So nothing waits for an hour because of it, and no claim is over too early.
 */
final class LocalTimes {

    private static final DateTimeFormatter SQL = DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss", Locale.ROOT);

    private final ZoneId zone;
    private final Clock clock;

    LocalTimes(ZoneId zone, Clock clock) {
        this.zone = zone;
        this.clock = clock;
    }

    boolean areUtc() {
        return zone.getRules().equals(ZoneOffset.UTC.getRules());
    }

    /**
     * Moves the database's UTC time by what is needed to write it as local time.
     *
     * @param millis from now
     * @param bound which time it must not be below or above, as text, where clocks were put back lately
     */
    record Moved(long millis, Optional<String> bound) {}

    /** A time to be written, or the latest of those that are due. */
    Moved latest(long millis) {
        Instant moment = clock.instant().plusMillis(millis);
        return new Moved(
                millis + offset(moment),
                putBack(moment)
                        .filter(change -> moment.isBefore(change.getInstant().plus(again(change))))
                        .map(change -> text(change.getDateTimeBefore())));
    }

    /** The earliest time that anything of the time since then may carry. */
    Moved earliest(long millis) {
        Instant now = clock.instant();
        Instant moment = now.plusMillis(millis);
        return new Moved(
                millis + offset(moment),
                putBack(now)
                        .filter(change -> change.getInstant().isAfter(moment))
                        .map(change -> text(change.getDateTimeAfter())));
    }

    /** How far local time is ahead of UTC now. */
    Duration ahead() {
        return Duration.ofMillis(offset(clock.instant()));
    }

    private long offset(Instant moment) {
        return zone.getRules().getOffset(moment).getTotalSeconds() * 1_000L;
    }

    /** The last change of the clock before this moment, if it was put back. */
    private Optional<ZoneOffsetTransition> putBack(Instant moment) {
        return Optional.ofNullable(zone.getRules().previousTransition(moment.plusNanos(1)))
                .filter(ZoneOffsetTransition::isOverlap);
    }

    private static Duration again(ZoneOffsetTransition change) {
        return change.getDuration().abs();
    }

    private static String text(LocalDateTime time) {
        return SQL.format(time);
    }
}
