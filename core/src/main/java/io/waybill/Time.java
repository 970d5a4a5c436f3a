package io.waybill;

import java.time.Clock;
import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * Where time comes from: the clock on the wall for what people read and agree on, and a steady count of nanoseconds for how
 * long something took. Tests give one they can move.
 */
public record Time(Clock clock, LongSupplier nanos) {

    public static Time system() {
        return new Time(Clock.systemUTC(), System::nanoTime);
    }

    /** How far the clock is from that of the machine: what due times in a database are moved by. */
    public Duration offset() {
        Clock system = Clock.systemUTC();
        return clock.equals(system) ? Duration.ZERO : Duration.between(system.instant(), clock.instant());
    }

    /** Starts counting. */
    public Stopwatch stopwatch() {
        return new Stopwatch(this, nanos.getAsLong(), clock.millis());
    }

    /** How long ago something was. */
    public record Stopwatch(Time time, long startNanos, long startMillis) {

        /** How long ago, counted steadily, whatever happens to the clock on the wall. */
        public Duration elapsed() {
            return Duration.ofNanos(time.nanos.getAsLong() - startNanos);
        }

        /** Counts steadily, whatever happens to the clock on the wall. */
        public boolean hasReached(Duration duration) {
            return time.nanos.getAsLong() - startNanos >= duration.toNanos();
        }

        /**
         * The same, but rather too early than too late: the steady count stands still while a machine is suspended, and the
         * clock on the wall does not.
         */
        public boolean mayHaveReached(Duration duration) {
            return hasReached(duration) || time.clock.millis() - startMillis >= duration.toMillis();
        }
    }
}
