package io.waybill.store.outbox;

/** What one shard holds for one destination: the unit that is claimed in insertion order. */
public record Lane(int shard, String destination) {}
