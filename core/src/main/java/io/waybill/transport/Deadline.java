package io.waybill.transport;

/** The moment after which nothing more of a batch may be sent, because the shard may belong to another relay by then. */
@FunctionalInterface
public interface Deadline {

    /** Asked before every request to the broker. */
    boolean hasPassed();
}
