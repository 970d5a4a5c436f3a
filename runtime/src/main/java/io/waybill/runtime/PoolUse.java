package io.waybill.runtime;

/**
 * How many connections an instance may take at once, beside the requests of its application. Each handler needs one, so does each
 * consumer of a broker while it handles, and each relay needs one more: it claims and settles on it, and while none of its handlers is at
 * work it claims the next batch ahead on theirs.
 *
 * @param handlers those of each relay
 * @param consumers those of each queue
 * @param queues from which consumers receive
 */
public record PoolUse(int relays, int handlers, int consumers, int queues) {

    /** What relays and their handlers take. */
    public int byRelays() {
        return relays * (handlers + 1);
    }

    /** What is taken when every handler and every consumer is at work. */
    public int connections() {
        return byRelays() + consumers * queues;
    }

    /** The same where nothing is handled in the process: a relay needs one connection more, to claim ahead. */
    public PoolUse withoutHandlers() {
        return new PoolUse(relays, Math.min(1, handlers), consumers, queues);
    }

    /**
     * The smallest pool in which requests do not wait: twice as large as the concurrency, of the handlers and of the consumers of a queue.
     * Consumers of many queues are hardly ever all at work.
     */
    public int pool() {
        return Math.max(byRelays(), 2 * Math.max(relays * handlers, queues == 0 ? 0 : consumers));
    }

    public boolean isTightIn(int pool) {
        return pool < pool();
    }
}
