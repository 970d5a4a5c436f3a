package io.waybill.runtime;

/**
 * How many connections an instance may take at once, beside the requests of its application. Each handler needs one, so does each
 * consumer of a broker, and each relay needs one more: it claims and settles on it, and while none of its handlers is at work it claims
 * the next batch ahead on theirs.
 *
 * @param handlers those of each relay
 * @param consumers how many batches from brokers are handled at once
 */
public record PoolUse(int relays, int handlers, int consumers) {

    /** What relays and their handlers take. */
    public int byRelays() {
        return relays * (handlers + 1);
    }

    public int connections() {
        return byRelays() + consumers;
    }

    /** The same where nothing is handled in the process: a relay needs one connection more, to claim ahead. */
    public PoolUse withoutHandlers() {
        return new PoolUse(relays, Math.min(1, handlers), consumers);
    }

    /** Whether requests may wait for a connection: relays may take more than half of the pool, or everything together all of it. */
    public boolean isTightIn(int pool) {
        return 2 * byRelays() > pool || connections() >= pool;
    }
}
