package io.waybill.benchmarks;

import java.util.List;

/** Where the floor sends its rows: whatever a broker's own client offers, without anything around it. */
@FunctionalInterface
interface FloorSender extends AutoCloseable {

    /** Returns when the broker has them all. */
    void send(List<FloorRelay.Row> rows);

    @Override
    default void close() {}
}
