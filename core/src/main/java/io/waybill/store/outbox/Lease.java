package io.waybill.store.outbox;

/**
 * The right to send what one shard holds for the destinations of a pool.
 *
 * @param pool the relays that share the shards, and behind a + the level, when another relay owns the shard and this one serves what the
 *     owner lacks
 * @param token rises with every change of owner; a settlement with an older token is refused
 * @param unclean taken from a relay that stopped renewing: what it was sending may have killed it
 */
public record Lease(String pool, int shard, long token, boolean unclean) {

    private static final char LEVEL = '+';

    public static Lease of(String pool, int level, int shard, long token, boolean unclean) {
        return new Lease(poolAt(pool, level), shard, token, unclean);
    }

    /** How leases of this level are named. */
    public static String poolAt(String pool, int level) {
        return level == 0 ? pool : pool + LEVEL + level;
    }

    /** The pool without the level. */
    public static String basePool(String pool) {
        int at = pool.indexOf(LEVEL);
        return at < 0 ? pool : pool.substring(0, at);
    }

    /** 0 for the owner of the shard. */
    public static int level(String pool) {
        int at = pool.indexOf(LEVEL);
        return at < 0 ? 0 : Integer.parseInt(pool.substring(at + 1));
    }

    public int level() {
        return level(pool);
    }

    public Lease clean() {
        return new Lease(pool, shard, token, false);
    }

    public Lease markUnclean() {
        return new Lease(pool, shard, token, true);
    }
}
