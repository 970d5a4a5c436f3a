package io.waybill.testkit;

import io.waybill.Time;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;

/** A clock that stands still until it is moved. */
public final class ManualClock extends Clock {

    private volatile Instant now;

    private ManualClock(Instant start) {
        this.now = start;
    }

    public static ManualClock at(Instant start) {
        return new ManualClock(start);
    }

    /** Starts at the machine's time, as a store on a real database needs it. */
    public static ManualClock now() {
        return new ManualClock(Clock.systemUTC().instant());
    }

    public synchronized void advance(Duration duration) {
        now = now.plus(duration);
    }

    /** The same time for everything that asks. */
    public Time time() {
        return new Time(this, () -> Duration.between(Instant.EPOCH, instant()).toNanos());
    }

    @Override
    public Instant instant() {
        return now;
    }

    @Override
    public ZoneId getZone() {
        return ZoneOffset.UTC;
    }

    @Override
    public Clock withZone(ZoneId zone) {
        return this;
    }
}
