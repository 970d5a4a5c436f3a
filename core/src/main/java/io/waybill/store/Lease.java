package io.waybill.store;

/**
 * The right to send what one shard holds for the destinations of a pool.
 *
 * @param pool the relays that share the shards; another pool has other destinations
 * @param token rises with every change of owner; a settlement with an older token is refused
 * @param unclean taken from a relay that stopped renewing: what it was sending may have killed it
 */
public record Lease(String pool, int shard, long token, boolean unclean) {}
