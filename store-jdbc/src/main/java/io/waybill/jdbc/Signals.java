package io.waybill.jdbc;

/** Tells relays in other processes that something was committed. A hint: what it misses, the next sweep finds. */
public interface Signals extends AutoCloseable {

    /** Something was committed: others hear of it within a few milliseconds, or within a second if they have just come. */
    void send();

    /**
     * Runs the hint whenever somebody else sends.
     *
     * @param relays how many there are here: as long as there are no others, nothing is sent
     */
    void listen(int relays, Runnable hint);

    @Override
    void close();
}
