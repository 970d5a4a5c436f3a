package io.waybill.relay.lease;

import java.util.Set;

/** What a relay is working on. */
public interface InFlight {

    /** The shards of messages that are being published, handled or settled. */
    Set<Integer> shards();

    /** What was published so far, for others to read. */
    String activity();

    /** These are to be handed over: of what waits for a handler, nothing of these shards is begun any more. */
    void leave(Set<Integer> shards);
}
