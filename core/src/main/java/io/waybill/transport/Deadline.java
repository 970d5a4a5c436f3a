package io.waybill.transport;

import java.util.function.BooleanSupplier;

/**
 * The moment after which nothing more of a batch may be sent, because the shard may belong to another relay by then. Once it has
 * passed it stays passed: a publisher that skipped a message must not send the next one after the relay has renewed its lease.
 *
 * <p><i>Threads:</i> safe.
 */
public final class Deadline {

    /** It does not pass. */
    public static final Deadline NEVER = new Deadline(() -> false);

    private final BooleanSupplier condition;
    private volatile boolean passed;

    private Deadline(BooleanSupplier condition) {
        this.condition = condition;
    }

    /** Passes when the condition is first seen to hold. */
    public static Deadline when(BooleanSupplier condition) {
        return new Deadline(condition);
    }

    /** Asked before every request to the broker. */
    public boolean hasPassed() {
        if (!passed && condition.getAsBoolean()) {
            passed = true;
        }
        return passed;
    }
}
