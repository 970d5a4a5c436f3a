package io.waybill.message;

import java.time.Clock;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;

/**
 * Message ids: UUID version 7 (RFC 9562), strictly rising within one generator. The 12 bits after the millisecond count the
 * ids of that millisecond from a random start; when they run over, or the clock steps back, the last millisecond is
 * kept and moved on by one.
 *
 * <p><i>Threads:</i> safe.
 */
public final class UuidV7 implements Supplier<UUID> {

    /** The one for everybody who does not need a clock of his own. */
    public static final UuidV7 SYSTEM = new UuidV7(Clock.systemUTC());

    private static final int COUNTER_BITS = 12;
    private static final int COUNTER_LIMIT = 1 << COUNTER_BITS;

    private final Clock clock;

    /** The millisecond of the last id, and behind it the counter: one that runs over moves the millisecond on. */
    private final AtomicLong last = new AtomicLong();

    public UuidV7(Clock clock) {
        this.clock = clock;
    }

    @Override
    public UUID get() {
        long millis = clock.millis();
        var random = ThreadLocalRandom.current();
        long start = (millis << COUNTER_BITS) | random.nextInt(COUNTER_LIMIT / 2);
        long next = last.updateAndGet(before -> millis > before >> COUNTER_BITS ? start : before + 1);
        return of(next >> COUNTER_BITS, next & COUNTER_LIMIT - 1, random.nextLong());
    }

    /** When the id was made, if it is of version 7: other ids do not say. */
    public static Optional<Instant> timeOf(UUID id) {
        return id.version() == 7
                ? Optional.of(Instant.ofEpochMilli(id.getMostSignificantBits() >>> 16))
                : Optional.empty();
    }

    private static UUID of(long millis, long counter, long random) {
        long high = (millis << 16) | 0x7000L | counter;
        long low = (random & 0x3FFF_FFFF_FFFF_FFFFL) | 0x8000_0000_0000_0000L;
        return new UUID(high, low);
    }
}
