package io.waybill.outbox;

/** Looks at the destination of each message before it is written. */
public interface DestinationCheck {

    /** Everything is served. */
    DestinationCheck NONE = (destination, mayRefuse) -> {};

    /**
     * Warns of a destination that nobody serves, or refuses it.
     *
     * @param mayRefuse false for what must be written in any case: replies, and the commands of processes
     * @throws io.waybill.WaybillException when the destination is refused
     */
    void check(String destination, boolean mayRefuse);
}
