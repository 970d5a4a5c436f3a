package io.waybill.server.cli;

import java.time.Duration;
import java.time.Instant;

/** How long ago something was, for people. */
public final class Ages {

    private Ages() {}

    public static Duration of(Instant then, Instant now) {
        Duration age = Duration.between(then, now);
        return age.isNegative() ? Duration.ZERO : age;
    }

    /** The two largest units: 3d 4h, 4h 12m, 12m 5s, 5s. */
    public static String words(Duration age) {
        if (age.toDays() > 0) {
            return age.toDays() + "d " + age.toHoursPart() + "h";
        }
        if (age.toHours() > 0) {
            return age.toHours() + "h " + age.toMinutesPart() + "m";
        }
        return age.toMinutes() > 0 ? age.toMinutes() + "m " + age.toSecondsPart() + "s" : age.toSeconds() + "s";
    }
}
