package io.waybill.jdbc;

/** Tells relays in other processes that something was committed. A hint: what it misses, the next sweep finds. */
public interface Signals extends AutoCloseable {

    /** Something was committed: others hear of it within a few milliseconds. */
    void send();

    /** Runs the hint whenever somebody sends. */
    void listen(Runnable hint);

    @Override
    void close();
}
